package catbox.server.engine;

import catbox.server.config.JdbcPlan;
import java.sql.SQLException;

/** Describes what is wrong with a connection to a relational database, and how to correct it. */
final class JdbcProblem {

    private static final int MYSQL_UNKNOWN_DATABASE = 1049;
    private static final int MYSQL_ACCESS_DENIED = 1045;
    private static final int DEPTH_MAX = 20;

    private JdbcProblem() {}

    static String describe(JdbcPlan database, SQLException failure) {
        SQLException cause = deepest(failure);
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        // Drivers may quote the URL, which may hold a password.
        String original = " ("
                + String.valueOf(cause.getMessage()).replace(database.login().url(), database.place()) + ")";
        if (state.startsWith("28") || cause.getErrorCode() == MYSQL_ACCESS_DENIED) {
            return database.place() + " refuses the user \"" + database.login().user()
                    + "\" or the password: check both" + original;
        }
        if (state.equals("3D000") || cause.getErrorCode() == MYSQL_UNKNOWN_DATABASE) {
            return database.place() + " does not exist: create the database or correct the url" + original;
        }
        if (state.startsWith("08")) {
            return database.place() + " cannot be reached: see whether it runs, and whether host and port are right"
                    + original;
        }
        return database.place() + " cannot be used" + original;
    }

    // A pool's own exception reports only a time-out; its cause is the driver's.
    private static SQLException deepest(SQLException failure) {
        SQLException found = failure;
        Throwable cause = failure.getCause();
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            if (cause instanceof SQLException sql) {
                found = sql;
            }
            cause = cause.getCause();
        }
        return found;
    }
}
