package outbox.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import outbox.StoreUnavailableException;
import outbox.spi.AnswerLimit;
import outbox.spi.ConnectionProvider;

/** Runs one short transaction at READ COMMITTED on a provided connection, and then restores the connection. */
public final class JdbcTransaction {

    private static final Duration ANSWER_MAX = Duration.ofMinutes(1);
    private static final Duration ANY_TIME = Duration.ofMillis(Integer.MAX_VALUE);

    private static final Logger LOG = System.getLogger(JdbcTransaction.class.getName());

    /**
     * Runs the work and commits, or rolls back when it throws. A database that does not answer for a minute counts as
     * failed, so that a broken connection does not block a thread forever.
     *
     * @throws outbox.OutboxException when the database fails
     */
    public static <T> T run(ConnectionProvider provider, Function<Connection, T> work) {
        return run(provider, ANSWER_MAX, work);
    }

    /** The same, without a limit on how long the database may take. */
    public static <T> T runPatiently(ConnectionProvider provider, Function<Connection, T> work) {
        return run(provider, ANY_TIME, work);
    }

    /** The same, with another limit on how long the database may take to answer. */
    public static <T> T run(ConnectionProvider provider, Duration answerMax, Function<Connection, T> work) {
        try {
            Connection conn = provider.getConnection();
            try {
                return new JdbcTransaction(conn, answerMax).attempt(work);
            } finally {
                close(conn);
            }
        } catch (SQLException e) {
            throw new StoreUnavailableException("the outbox could not reach its database: " + e.getMessage(), e);
        }
    }

    private final Connection conn;
    private final boolean autoCommit;
    private final int isolation;

    private final AnswerLimit limit;

    private JdbcTransaction(Connection conn, Duration answerMax) throws SQLException {
        this.conn = conn;
        this.limit = AnswerLimit.set(conn, answerMax); // First: MySQL's driver asks the server for the isolation level.
        this.autoCommit = conn.getAutoCommit();
        this.isolation = conn.getTransactionIsolation();
    }

    private <T> T attempt(Function<Connection, T> work) throws SQLException {
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            conn.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        if (autoCommit) {
            conn.setAutoCommit(false);
        }
        try {
            T result = work.apply(conn);
            conn.commit();
            return result;
        } catch (RuntimeException | Error | SQLException e) {
            rollBack(e);
            throw e;
        } finally {
            restore();
        }
    }

    private void rollBack(Throwable cause) {
        try {
            conn.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    // The transaction has ended by now. A connection that cannot be restored is broken, and its pool will notice. The
    // caller must not mistake that for a failed transaction and repeat it.
    private void restore() {
        try {
            if (autoCommit) {
                conn.setAutoCommit(true);
            }
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                conn.setTransactionIsolation(isolation);
            }
            limit.restore(conn);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "a connection could not be restored: {0}", e.getMessage());
        }
    }

    private static void close(Connection conn) {
        try {
            conn.close();
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "a connection could not be closed: {0}", e.getMessage());
        }
    }
}
