package outbox.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import outbox.spi.AnswerLimit;
import outbox.spi.ConnectionProvider;

/**
 * Runs one statement that commits on its own, on a connection of the provider, so that it costs its own round trip and no
 * other: nothing is asked of the connection that its driver would have to ask the server.
 *
 * <p>The isolation level is therefore left as it is, and what runs here must be right at each that is not below READ
 * COMMITTED: a plain read, which is one snapshot, or a settlement on PostgreSQL, which at higher levels fails where
 * another has just changed a row, and is then repeated in a transaction.
 */
public final class SingleStatement {

    private static final Duration ANSWER_MAX = Duration.ofMinutes(1);

    private SingleStatement() {}

    /** A database that does not answer for a minute counts as failed. */
    public static <T> T run(ConnectionProvider provider, Function<Connection, T> work) {
        return run(provider, ANSWER_MAX, work);
    }

    /** The same with a limit of its own. */
    public static <T> T run(ConnectionProvider provider, Duration answerMax, Function<Connection, T> work) {
        try (Connection conn = provider.getConnection()) {
            return on(conn, answerMax, work);
        } catch (SQLException e) {
            throw SqlFailure.unreachable(e);
        }
    }

    /** The same on a connection that stays open. */
    public static <T> T on(Connection conn, Duration answerMax, Function<Connection, T> work) throws SQLException {
        AnswerLimit limit = AnswerLimit.set(conn, answerMax);
        try {
            return conn.getAutoCommit() ? work.apply(conn) : committed(conn, work);
        } finally {
            limit.restore(conn);
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
}
