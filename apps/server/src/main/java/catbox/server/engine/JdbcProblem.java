package catbox.server.engine;

import catbox.server.config.JdbcPlan;
import java.sql.SQLException;

/** Says what is wrong with a connection to a relational database, and what to do about it. */
final class JdbcProblem {

    private static final int MYSQL_UNKNOWN_DATABASE = 1049;
    private static final int MYSQL_ACCESS_DENIED = 1045;
    private static final int DEPTH_MAX = 20;

    private JdbcProblem() {}

    static String words(JdbcPlan database, SQLException failure) {
        SQLException cause = deepest(failure);
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        // Drivers may quote the URL, in which a password may be.
        String said = " ("
                + String.valueOf(cause.getMessage()).replace(database.login().url(), database.place()) + ")";
        if (state.startsWith("28") || cause.getErrorCode() == MYSQL_ACCESS_DENIED) {
            return database.place() + " refuses the user \"" + database.login().user()
                    + "\" or the password: check both" + said;
        }
        if (state.equals("3D000") || cause.getErrorCode() == MYSQL_UNKNOWN_DATABASE) {
            return database.place() + " does not exist: create the database or correct the url" + said;
        }
        if (state.startsWith("08")) {
            return database.place() + " cannot be reached: see whether it runs and whether host and port are right"
                    + said;
        }
        return database.place() + " cannot be worked with" + said;
    }

    // A pool's own exception says that time was over; what the driver had to say is behind it.
    private static SQLException deepest(SQLException failure) {
        SQLException found = failure;
        Throwable cause = failure.getCause();
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            if (cause instanceof SQLException told) {
                found = told;
            }
            cause = cause.getCause();
        }
        return found;
    }
}
