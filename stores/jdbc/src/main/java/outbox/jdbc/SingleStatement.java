package outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import outbox.OutboxException;
import outbox.spi.ConnectionProvider;

/**
 * One statement on a connection of the provider's that commits by itself, so that it costs its own round trip and no
 * other: nothing is asked of the connection that its driver would have to ask the server.
 *
 * <p>The isolation level is therefore left as it is, and what runs here must be right at each that is not below READ
 * COMMITTED: a plain read, which is one snapshot, or a statement of PostgreSQL's, which at higher levels fails rather
 * than write what it should not.
 */
final class SingleStatement {

    private static final int ANSWER_MILLIS_MAX = 60_000;

    private SingleStatement() {}

    /** A database that does not answer for a minute counts as failed. */
    static <T> T run(ConnectionProvider provider, Function<Connection, T> work) {
        try (Connection conn = provider.getConnection()) {
            boolean limited = limit(conn);
            try {
                return conn.getAutoCommit() ? work.apply(conn) : committed(conn, work);
            } finally {
                if (limited) {
                    conn.setNetworkTimeout(Runnable::run, 0);
                }
            }
        } catch (SQLException e) {
            throw new OutboxException("the outbox could not reach its database: " + e.getMessage(), e);
        }
    }

    private static <T> T committed(Connection conn, Function<Connection, T> work) throws SQLException {
        try {
            T result = work.apply(conn);
            conn.commit();
            return result;
        } catch (RuntimeException | SQLException e) {
            rollBack(conn, e);
            throw e;
        }
    }

    private static void rollBack(Connection conn, Exception cause) {
        try {
            conn.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    // A limit that the application has set is its choice. Databases inside this process have no network, and say so.
    private static boolean limit(Connection conn) {
        try {
            boolean unlimited = conn.getNetworkTimeout() == 0;
            if (unlimited) {
                conn.setNetworkTimeout(Runnable::run, ANSWER_MILLIS_MAX);
            }
            return unlimited;
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }
}
