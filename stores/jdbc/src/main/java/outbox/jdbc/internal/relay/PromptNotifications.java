package outbox.jdbc.internal.relay;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.PGStream;
import org.postgresql.core.QueryExecutorBase;

/**
 * Lets PostgreSQL's driver hand out a notification when it comes.
 *
 * <p>After each notification the driver waits a millisecond for the next one, and hands them out after a silence of that
 * length; with a few busy senders there never is one. The wait serves streams that do not show what they hold; the next
 * call finds the same. It has no setting, so a field of the driver is set to say that the time for such a wait has not
 * come. Where that is refused wake-ups come late, and only the poll is left.
 */
public final class PromptNotifications {

    private static final Logger LOG = System.getLogger(PromptNotifications.class.getName());
    private static final AtomicBoolean REPORTED = new AtomicBoolean();

    private PromptNotifications() {}

    /** {@link #off} has to undo it before the connection is used otherwise. */
    public static void on(Connection conn) {
        waitNotBefore(conn, Long.MAX_VALUE);
    }

    public static void off(Connection conn) {
        waitNotBefore(conn, 0);
    }

    // Wake-ups have to work with any other driver or version as they would without this.
    private static void waitNotBefore(Connection conn, long millis) {
        try {
            Field stream = opened(QueryExecutorBase.class, "pgStream");
            Field time = opened(PGStream.class, "nextStreamAvailableCheckTime");
            time.setLong(stream.get(conn.unwrap(BaseConnection.class).getQueryExecutor()), millis);
        } catch (ReflectiveOperationException | SQLException | RuntimeException | LinkageError e) {
            if (!REPORTED.getAndSet(true)) {
                LOG.log(Level.INFO, "the driver gathers notifications, so wake-ups come late: {0}", e.toString());
            }
        }
    }

    private static Field opened(Class<?> owner, String name) throws NoSuchFieldException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
