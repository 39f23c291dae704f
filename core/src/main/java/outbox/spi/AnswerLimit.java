package outbox.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Limits how long a database may take to answer before its connection counts as lost, for one use of the connection. A
 * shorter limit that the application has set stays. Databases inside this process have no network and refuse the limit.
 *
 * @param beforeMillis the limit to restore; negative when nothing was changed
 */
public record AnswerLimit(int beforeMillis) {

    private static final AnswerLimit UNCHANGED = new AnswerLimit(-1);

    /** Sets the limit, and returns what restores the connection. */
    public static AnswerLimit set(Connection conn, Duration atMost) {
        try {
            int before = conn.getNetworkTimeout();
            int millis = (int) Math.min(Integer.MAX_VALUE, atMost.toMillis());
            if (before != 0 && before <= millis) {
                return UNCHANGED;
            }
            conn.setNetworkTimeout(Runnable::run, millis);
            return new AnswerLimit(before);
        } catch (SQLException | RuntimeException e) {
            return UNCHANGED;
        }
    }

    public void restore(Connection conn) throws SQLException {
        if (beforeMillis >= 0 && !conn.isClosed()) {
            conn.setNetworkTimeout(Runnable::run, beforeMillis);
        }
    }
}
