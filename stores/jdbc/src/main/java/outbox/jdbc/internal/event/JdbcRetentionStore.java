package outbox.jdbc.internal.event;

import java.time.Duration;
import java.util.List;
import outbox.internal.JdbcTransaction;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.operations.AuditRows;
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.Micros;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.ConnectionProvider;
import outbox.spi.RetentionStore;

/** Deletes done events, with what is kept beside them, in chunks. Rows that another purge is at are skipped, so that nobody waits. */
public final class JdbcRetentionStore implements RetentionStore {

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;

    public JdbcRetentionStore(ConnectionProvider connectionProvider) {
        this(connectionProvider, TableNames.DEFAULT);
    }

    public JdbcRetentionStore(ConnectionProvider connectionProvider, TableNames tables) {
        this.connectionProvider = connectionProvider;
        this.tables = tables;
    }

    @Override
    public int purgeDone(Duration olderThan, int max) {
        return JdbcTransaction.run(connectionProvider, conn -> {
            Dialect dialect = Dialect.of(conn);
            List<String> ids = Sql.query(
                    conn,
                    "choose events to purge",
                    "SELECT event_id FROM " + tables.event() + " WHERE status = 1 AND done_at <= "
                            + dialect.nowPlus("?") + " ORDER BY done_at LIMIT ? FOR UPDATE SKIP LOCKED",
                    statement -> {
                        statement.setLong(1, -Micros.of(olderThan));
                        statement.setInt(2, max);
                    },
                    Sql::strings);
            if (ids.isEmpty()) {
                return 0;
            }
            new FailedAttempts(dialect, tables).delete(conn, ids);
            new Acknowledgements(dialect, tables).delete(conn, ids);
            new OriginalRows(dialect, tables).delete(conn, ids);
            new AuditRows(dialect, tables).forget(conn, ids);
            return Sql.update(
                    conn,
                    "purge done events",
                    "DELETE FROM " + tables.event() + " WHERE event_id IN " + InList.of(ids.size()),
                    statement -> InList.bind(statement, 1, ids));
        });
    }
}
