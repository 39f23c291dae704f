/**
 * The ports. Inside stand {@link outbox.spi.PublishStore} (store an event in the caller's transaction), {@link
 * outbox.spi.DispatchStore} (claim and settle), and {@link outbox.spi.HotPath} (what happens after commit); they
 * know nothing of java.sql, so that any transactional database can stand behind them.
 *
 * <p>{@link outbox.spi.TxContext}, {@link outbox.spi.ConnectionProvider} and {@link outbox.spi.EventStore} are
 * their JDBC face; {@link outbox.spi.JdbcPublishStore} and {@link outbox.spi.JdbcDispatchStore} join the two.
 */
@NullMarked
package outbox.spi;

import org.jspecify.annotations.NullMarked;
