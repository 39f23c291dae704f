package outbox.relay.deliver;

import outbox.model.OutboxEvent;

/**
 * An event on its way to a destination.
 *
 * @param ticket what its sender knows it by
 * @param lane its key's hash
 */
public record Sending<T>(T ticket, OutboxEvent event, int lane, long bytes) {}
