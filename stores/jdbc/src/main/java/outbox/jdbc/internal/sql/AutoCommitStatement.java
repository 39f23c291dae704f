package outbox.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import outbox.spi.ConnectionProvider;

/** Runs statements that commit on their own: PostgreSQL creates no index next to writers in a transaction. */
public final class AutoCommitStatement {

    private AutoCommitStatement() {}

    @FunctionalInterface
    public interface Work<T> {
        T on(Connection conn) throws SQLException;
    }

    public static <T> T run(ConnectionProvider provider, String attempted, Work<T> work) {
        try (Connection conn = provider.getConnection()) {
            boolean autoCommit = conn.getAutoCommit();
            conn.setAutoCommit(true);
            try {
                return work.on(conn);
            } finally {
                conn.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw SqlFailure.of(attempted, e);
        }
    }

    /** Executes DDL, of which an earlier attempt may have executed some: MySQL commits each statement. */
    public static void execute(Connection conn, Collection<String> ddl) throws SQLException {
        try (Statement statement = conn.createStatement()) {
            for (String sql : ddl) {
                try {
                    statement.execute(sql);
                } catch (SQLException e) {
                    if (!SqlFailure.isDoneAlready(e)) {
                        throw e;
                    }
                }
            }
        }
    }
}
