package outbox.jdbc;

import java.sql.SQLException;
import java.util.function.Predicate;
import outbox.OutboxException;

/** Turns what JDBC throws into what the outbox throws. The one place that reads SQL states. */
final class SqlFailure {

    private SqlFailure() {}

    static OutboxException of(String attempted, SQLException e) {
        return new OutboxException("the outbox could not " + attempted + ": " + e.getMessage(), e);
    }

    /** A primary key or unique constraint; the batch wrapper of some drivers hides it one exception deeper. */
    static boolean isDuplicateKey(SQLException e) {
        return any(e, s -> "23505".equals(s.getSQLState()) || s.getErrorCode() == 1062);
    }

    static boolean isMissingTable(SQLException e) {
        return any(
                e,
                s -> "42P01".equals(s.getSQLState())
                        || "3F000".equals(s.getSQLState())
                        || "42S02".equals(s.getSQLState())
                        || "42S03".equals(s.getSQLState())
                        || "42S04".equals(s.getSQLState()));
    }

    /** MySQL's answer to adding a column or an index that is there already. */
    static boolean isColumnOrIndexThere(SQLException e) {
        return ("42S21".equals(e.getSQLState()) && e.getErrorCode() == 1060)
                || ("42000".equals(e.getSQLState()) && e.getErrorCode() == 1061);
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
