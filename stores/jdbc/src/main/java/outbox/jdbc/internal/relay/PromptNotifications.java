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
 * <p>By itself it waits for another one, a millisecond long, and then for the one after that: they are handed out when
 * there was silence for so long, and with a few busy senders there never is. The wait serves streams that do not tell
 * what is in them; what it would find, the next call finds as well. It has no setting, so the driver is told, in a field
 * of its own, that the time for such a wait has not come. Where that is refused wake-ups come late, and the poll is what
 * is left.
 */
public final class PromptNotifications {

    private static final Logger LOG = System.getLogger(PromptNotifications.class.getName());
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private PromptNotifications() {}

    /** To be undone by {@link #off} before anybody else uses the connection. */
    public static void on(Connection conn) {
        waitNotBefore(conn, Long.MAX_VALUE);
    }

    public static void off(Connection conn) {
        waitNotBefore(conn, 0);
    }

    // Whatever another driver or version answers, wake-ups are to work as they would without this.
    private static void waitNotBefore(Connection conn, long millis) {
        try {
            Field stream = opened(QueryExecutorBase.class, "pgStream");
            Field time = opened(PGStream.class, "nextStreamAvailableCheckTime");
            time.setLong(stream.get(conn.unwrap(BaseConnection.class).getQueryExecutor()), millis);
        } catch (ReflectiveOperationException | SQLException | RuntimeException | LinkageError e) {
            if (!TOLD.getAndSet(true)) {
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
