package outbox.jdbc.internal.sql;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.function.Predicate;
import outbox.OutboxException;
import outbox.StoreUnavailableException;

/** Turns what JDBC throws into what the outbox throws. The one place that reads SQL states. */
public final class SqlFailure {

    private static final int DEPTH_MAX = 20;

    private SqlFailure() {}

    public static OutboxException of(String attempted, SQLException e) {
        String message = "the outbox could not " + attempted + ": " + e.getMessage();
        return isConnectionLost(e) ? new StoreUnavailableException(message, e) : new OutboxException(message, e);
    }

    public static StoreUnavailableException unreachable(SQLException e) {
        return new StoreUnavailableException("the outbox could not reach its database: " + e.getMessage(), e);
    }

    /** The first line of what failed: in those that follow, PostgreSQL shows what the row holds. */
    public static String line(OutboxException e) {
        return oneLine(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }

    /** As a log may have it: what another program wrote as an id may have any characters. */
    public static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    /** Whether the time-out of the network or of the database was over. */
    public static boolean isTimeout(OutboxException e) {
        Throwable cause = e.getCause();
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            if (cause instanceof SocketTimeoutException || cause instanceof SQLTimeoutException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Another transaction has changed a row that this one, at REPEATABLE READ or above, was about to change. */
    public static boolean isSerializationFailure(OutboxException e) {
        return e.getCause() instanceof SQLException cause && any(cause, s -> "40001".equals(s.getSQLState()));
    }

    /** A primary key or unique constraint; the batch wrapper of some drivers hides it one exception deeper. */
    public static boolean isDuplicateKey(SQLException e) {
        return any(e, s -> "23505".equals(s.getSQLState()) || s.getErrorCode() == 1062);
    }

    public static boolean isMissingTable(SQLException e) {
        return any(
                e,
                s -> "42P01".equals(s.getSQLState())
                        || "3F000".equals(s.getSQLState())
                        || "42S02".equals(s.getSQLState())
                        || "42S03".equals(s.getSQLState())
                        || "42S04".equals(s.getSQLState()));
    }

    /** MySQL's answer to adding a column, an index or a constraint that exists, or to dropping one that does not. */
    public static boolean isDoneAlready(SQLException e) {
        return ("42S21".equals(e.getSQLState()) && e.getErrorCode() == 1060)
                || ("42000".equals(e.getSQLState()) && e.getErrorCode() == 1061)
                || e.getErrorCode() == 3822
                || ("42000".equals(e.getSQLState()) && e.getErrorCode() == 1091);
    }

    /** User, password or the right to enter the database. */
    public static boolean isRefusedLogin(SQLException e) {
        return any(
                e,
                s -> startsWith(s, "28")
                        || s.getErrorCode() == 1045 // access denied for the user
                        || s.getErrorCode() == 1698 // the same, without a password that could be given
                        || (s.getErrorCode() == 1044 && startsWith(s, "42"))); // access denied to the database
    }

    /** A right that this user lacks. */
    public static boolean isNotPermitted(SQLException e) {
        return any(
                e,
                s -> "42501".equals(s.getSQLState())
                        || s.getErrorCode() == 90096 // of H2
                        || (s.getErrorCode() >= 1142 && s.getErrorCode() <= 1143) // on a table, on a column
                        || s.getErrorCode() == 1227); // a right on the server
    }

    /** The connection is gone, or could not be opened. */
    public static boolean isConnectionLost(SQLException e) {
        return any(e, s -> startsWith(s, "08") || startsWith(s, "57P"));
    }

    private static boolean startsWith(SQLException e, String states) {
        return e.getSQLState() != null && e.getSQLState().startsWith(states);
    }

    /** The driver's own exception: that of a pool says only that time was over. */
    public static SQLException deepest(SQLException e) {
        SQLException found = e;
        Throwable cause = e.getCause();
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            if (cause instanceof SQLException sql) {
                found = sql;
            }
            cause = cause.getCause();
        }
        return found;
    }

    private static boolean any(SQLException e, Predicate<SQLException> test) {
        for (SQLException s = e; s != null; s = s.getNextException()) {
            if (test.test(s) || (s.getCause() instanceof SQLException cause && test.test(cause))) {
                return true;
            }
        }
        return false;
    }
}
