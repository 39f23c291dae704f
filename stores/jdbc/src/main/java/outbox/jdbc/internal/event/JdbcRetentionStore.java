package outbox.jdbc.internal.event;

import java.time.Duration;
import java.util.List;
import outbox.internal.JdbcTransaction;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.ConnectionProvider;
import outbox.spi.RetentionStore;

/** Deletes done events, with what is kept next to them. Rows that another purge has locked are skipped, so that no purge waits. */
public record JdbcRetentionStore(ConnectionProvider connectionProvider, TableNames tables) implements RetentionStore {

    @Override
    public int purgeDone(Duration olderThan, int max) {
        return JdbcTransaction.run(connectionProvider, conn -> {
            Dialect dialect = Dialect.of(conn);
            String select = "SELECT event_id FROM " + tables.event() + " WHERE status = 1 AND done_at <= "
                    + dialect.nowPlus("?") + " ORDER BY done_at LIMIT ? FOR UPDATE SKIP LOCKED";
            List<String> ids = Sql.strings(conn, "choose events to purge", select, -Sql.micros(olderThan), max);
            tables.ofEvents().forEach(table -> Sql.deleteByEvent(conn, table, ids));
            return Sql.deleteByEvent(conn, tables.event(), ids);
        });
    }
}
