package outbox.spi;

/**
 * What a store can do beyond one instance and no order.
 *
 * @param claims claims exclude other instances, so several may work on one table
 */
public record StoreCapabilities(boolean claims) {}
