/**
 * The ports. {@link outbox.spi.PublishStore} (store an event in the caller's transaction), {@link
 * outbox.spi.ClaimStore}, {@link outbox.spi.SettleStore} and {@link outbox.spi.HotPath} (receive events after the
 * commit) do not use java.sql, so that any transactional database can implement them.
 *
 * <p>{@link outbox.spi.TxContext}, {@link outbox.spi.ConnectionProvider} and {@link outbox.spi.EventStore} are their
 * JDBC counterparts. A {@link outbox.spi.ClaimingEventStore} provides the ports; {@link outbox.spi.PlainPublishStore}
 * and {@link outbox.spi.PlainClaimStore} adapt any other {@link outbox.spi.EventStore} to them.
 */
@NullMarked
package outbox.spi;

import org.jspecify.annotations.NullMarked;
