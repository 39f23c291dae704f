package outbox.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import outbox.internal.KeyHash;
import outbox.jdbc.internal.relay.PromptNotifications;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.ConnectionProvider;
import outbox.spi.relay.WakeUp;
import outbox.spi.relay.WakeUpChannel;

/**
 * Wake-ups by NOTIFY and LISTEN. Sending and receiving each keep a connection of their own from first use to
 * {@link #close}, so a pool must have two to spare. It has to lead to the server itself: a proxy that shares sessions
 * between transactions loses what is listened to.
 *
 * <p>A connection that broke is reported once, and the next call opens another. Wake-ups were lost in between, so the first
 * thing to be received after every opening is {@link WakeUp#ANY}.
 */
public final class PostgresWakeUpChannel implements WakeUpChannel {

    private static final Logger LOG = System.getLogger(PostgresWakeUpChannel.class.getName());

    /** More lanes than this are sent as "any", which is shorter and costs the receiver about the same. */
    private static final int LANES_MAX = 16;

    private static final int CHANNEL_CHARS_MAX = 63;

    /** The driver waits in the socket, where an interrupt does not reach it. */
    private static final Duration SLICE = Duration.ofMillis(200);

    /** A query now and then shows that the server is still there. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

    private static final int ANSWER_MILLIS_MAX = 60_000;

    private final String channel;
    private final OwnConnection sending;
    private final OwnConnection receiving;
    /** How long nothing has come. Of the receiving thread alone. */
    private Duration silence = Duration.ZERO;

    public PostgresWakeUpChannel(ConnectionProvider connectionProvider) {
        this(connectionProvider, TableNames.DEFAULT);
    }

    public PostgresWakeUpChannel(ConnectionProvider connectionProvider, TableNames tables) {
        this.channel = channelOf(tables);
        this.sending = new OwnConnection(connectionProvider);
        this.receiving = new OwnConnection(connectionProvider);
    }

    // Table names are plain identifiers, so the channel's needs nothing but its quotes.
    static String channelOf(TableNames tables) {
        String name = "catbox_" + tables.event().toLowerCase(Locale.ROOT).replace('.', '_');
        return name.length() <= CHANNEL_CHARS_MAX ? name : "catbox_" + KeyHash.of(tables.event());
    }

    @Override
    public void send(WakeUp wakeUp) {
        sending.use("send a wake-up", conn -> {
            try (PreparedStatement statement = conn.prepareStatement("SELECT pg_notify(?, ?)")) {
                statement.setString(1, channel);
                statement.setString(2, payload(wakeUp));
                return statement.execute();
            }
        });
    }

    private static String payload(WakeUp wakeUp) {
        return wakeUp.lanes().size() > LANES_MAX
                ? ""
                : wakeUp.lanes().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    @Override
    public List<WakeUp> receive(Duration atMost) throws InterruptedException {
        if (!receiving.isOpen()) {
            receiving.use("listen for wake-ups", conn -> {
                boolean listening = execute(conn, "LISTEN \"" + channel + "\"");
                PromptNotifications.on(conn);
                return listening;
            });
            return receiving.isOpen() ? List.of(WakeUp.ANY) : List.of();
        }
        List<WakeUp> received = List.of();
        Duration left = atMost;
        while (received.isEmpty() && left.isPositive() && receiving.isOpen()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting for wake-ups");
            }
            Duration slice = left.compareTo(SLICE) < 0 ? left : SLICE;
            received = receiving.use("receive wake-ups", conn -> read(conn, slice));
            left = left.minus(slice);
            silence = received.isEmpty() ? silence.plus(slice) : Duration.ZERO;
            if (silence.compareTo(SILENCE_MAX) > 0) {
                silence = Duration.ZERO;
                receiving.use("reach the server", conn -> execute(conn, "SELECT 1"));
            }
        }
        return received;
    }

    private static boolean execute(Connection conn, String sql) throws SQLException {
        try (Statement statement = conn.createStatement()) {
            return statement.execute(sql);
        }
    }

    private static List<WakeUp> read(Connection conn, Duration atMost) throws SQLException {
        // Zero would wait for ever.
        int millis = (int) Math.max(1, atMost.toMillis());
        PGNotification[] notifications = conn.unwrap(PGConnection.class).getNotifications(millis);
        List<WakeUp> wakeUps = new ArrayList<>();
        if (notifications != null) {
            for (PGNotification notification : notifications) {
                wakeUps.add(wakeUp(notification.getParameter()));
            }
        }
        return wakeUps;
    }

    // Any program may notify; a payload that cannot be read wakes up all the same.
    private static WakeUp wakeUp(String payload) {
        Set<Integer> lanes = new HashSet<>();
        for (String lane : payload.split(",", -1)) {
            try {
                lanes.add(Integer.valueOf(lane));
            } catch (NumberFormatException e) {
                return WakeUp.ANY;
            }
        }
        return new WakeUp(lanes);
    }

    @Override
    public void close() {
        sending.close();
        receiving.close();
    }

    /** A connection that is kept, used by one thread at a time and closed by any. */
    private static final class OwnConnection {

        private final ConnectionProvider provider;
        /** Written under the lock by the threads that open and close, read by all. */
        private volatile @Nullable Connection conn;

        private volatile boolean closed;
        /** As it was when it was lent. Guarded by the lock. */
        private boolean autoCommit;

        OwnConnection(ConnectionProvider provider) {
            this.provider = provider;
        }

        private interface Use<T> {
            T on(Connection conn) throws SQLException;
        }

        boolean isOpen() {
            return conn != null;
        }

        synchronized <T> T use(String what, Use<T> use) {
            try {
                Connection open = conn;
                if (open == null) {
                    if (closed) {
                        throw new IllegalStateException("the wake-up channel is closed");
                    }
                    open = provider.getConnection();
                    conn = open;
                    autoCommit = open.getAutoCommit();
                    open.setAutoCommit(true);
                    open.setNetworkTimeout(Runnable::run, ANSWER_MILLIS_MAX);
                }
                return use.on(open);
            } catch (SQLException e) {
                drop();
                throw SqlFailure.of(what, e);
            }
        }

        /** Waits for a use in flight, which is short. */
        void close() {
            closed = true;
            synchronized (this) {
                drop();
            }
        }

        private void drop() {
            Connection open = conn;
            conn = null;
            if (open == null) {
                return;
            }
            try (open) {
                if (!open.isClosed()) {
                    // It may go back to a pool, whose next user expects no notifications.
                    execute(open, "UNLISTEN *");
                    open.setNetworkTimeout(Runnable::run, 0);
                    open.setAutoCommit(autoCommit);
                    PromptNotifications.off(open);
                }
            } catch (SQLException e) {
                LOG.log(Level.DEBUG, "a connection of the wake-up channel could not be closed: {0}", e.getMessage());
            }
        }
    }
}
