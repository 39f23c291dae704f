/**
 * The ports. Inside stand {@link outbox.spi.PublishStore} (store an event in the caller's transaction), {@link
 * outbox.spi.ClaimStore}, {@link outbox.spi.SettleStore}, and {@link outbox.spi.HotPath} (what happens after commit); they
 * know nothing of java.sql, so that any transactional database can stand behind them.
 *
 * <p>{@link outbox.spi.TxContext}, {@link outbox.spi.ConnectionProvider} and {@link outbox.spi.EventStore} are
 * their JDBC face. A {@link outbox.spi.ClaimingEventStore} gives the ports; {@link outbox.spi.PlainPublishStore} and {@link
 * outbox.spi.PlainClaimStore} make them of any other {@link outbox.spi.EventStore}.
 */
@NullMarked
package outbox.spi;

import org.jspecify.annotations.NullMarked;
