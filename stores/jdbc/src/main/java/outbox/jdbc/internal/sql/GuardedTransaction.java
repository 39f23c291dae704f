package outbox.jdbc.internal.sql;

import java.sql.Connection;
import java.time.Duration;
import java.util.function.Function;
import outbox.OutboxException;
import outbox.internal.JdbcTransaction;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.spi.ConnectionProvider;

/**
 * Runs several statements that lock what other nodes wait for, in one transaction. The database ends it when its process
 * falls silent in the middle: a process that is frozen there would otherwise keep its locks, and with them its partitions
 * and claims, for as long as it is frozen.
 */
public final class GuardedTransaction {

    /** For operators: a report that the database does not answer is better than a wait. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(12);

    private GuardedTransaction() {}

    public static <T> T run(
            ConnectionProvider provider, Function<Connection, Dialect> dialects, Function<Connection, T> work) {
        return run(provider, ANSWER_MAX, dialects, work);
    }

    /**
     * Runs the work in a transaction that the database ends when this process falls silent.
     *
     * @param answerMax how long the database may take to answer before its connection counts as lost
     */
    public static <T> T run(
            ConnectionProvider provider,
            Duration answerMax,
            Function<Connection, Dialect> dialects,
            Function<Connection, T> work) {
        return JdbcTransaction.run(provider, answerMax, conn -> {
            Dialect dialect = dialects.apply(conn);
            try {
                dialect.sessions().limitSilence(conn, AnswerTimes.ofStatement(answerMax));
                T result = work.apply(conn);
                dialect.sessions().unlimitSilence(conn);
                return result;
            } catch (RuntimeException e) {
                restore(dialect, conn, e);
                throw e;
            }
        });
    }

    private static void restore(Dialect dialect, Connection conn, RuntimeException cause) {
        try {
            dialect.sessions().unlimitSilence(conn);
        } catch (OutboxException e) {
            cause.addSuppressed(e); // The connection is broken, or its transaction is: either ends the limit too.
        }
    }
}
