package outbox.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import outbox.spi.ConnectionProvider;

/** Statements that commit by themselves: PostgreSQL makes no index beside writers in a transaction. */
public final class AutoCommitStatement {

    private AutoCommitStatement() {}

    /** What is done there. */
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

    public static void execute(Connection conn, Collection<String> ddl) throws SQLException {
        try (Statement statement = conn.createStatement()) {
            for (String sql : ddl) {
                executeOnce(statement, sql);
            }
        }
    }

    // An earlier try may have come half the way.
    private static void executeOnce(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            if (!SqlFailure.isDoneAlready(e)) {
                throw e;
            }
        }
    }
}
