package outbox.jdbc.internal.relay;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.StoreUnavailableException;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.ConnectionLock;
import outbox.jdbc.internal.sql.SingleStatement;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.ConnectionProvider;

/**
 * The connection of a node's heartbeats: kept open, used for nothing else, and replaced when it is lost.
 *
 * <p>Where the database has locks that belong to a connection, each session has one here. A process that dies loses its
 * connection at once, and with it the lock, long before its time-out is over, and other nodes see that. The lock is
 * evidence and no more: epochs decide which node owns a partition.
 */
final class HeartbeatConnection implements AutoCloseable {

    private static final Logger LOG = System.getLogger(HeartbeatConnection.class.getName());

    private static final int LOST_MAX = 3;

    private final ConnectionProvider provider;
    private @Nullable Connection conn; // guarded by this
    /** The server that has the lock of a session, by session; guarded by this. */
    private final Map<String, String> servers = new HashMap<>();

    private String releaseLock = ""; // guarded by this

    HeartbeatConnection(ConnectionProvider provider) {
        this.provider = provider;
    }

    /** One heartbeat. A connection that was lost since the last one is replaced at once; a pool may lend a few such. */
    synchronized <T> T run(Duration answerMax, Function<Connection, T> work) {
        for (int lost = 0; ; lost++) {
            Connection open = conn == null ? open() : conn;
            try {
                return on(open, answerMax, work);
            } catch (OutboxException e) {
                if (conn != null || lost == LOST_MAX || SqlFailure.isTimeout(e)) {
                    throw e; // The connection works, or there is no time left for another one.
                }
                LOG.log(Level.DEBUG, "the connection of the heartbeat was lost: {0}", e.getMessage());
            }
        }
    }

    private <T> T on(Connection open, Duration answerMax, Function<Connection, T> work) {
        try {
            return SingleStatement.on(open, answerMax, work);
        } catch (SQLException e) {
            drop();
            throw SqlFailure.unreachable(e);
        } catch (OutboxException e) {
            if (isLost(open, e)) {
                drop();
            }
            throw e;
        }
    }

    private static boolean isLost(Connection open, OutboxException e) {
        try {
            return open.isClosed() || e instanceof StoreUnavailableException;
        } catch (SQLException closed) {
            return true;
        }
    }

    private Connection open() {
        try {
            Connection opened = provider.getConnection();
            conn = opened;
            return opened;
        } catch (SQLException e) {
            throw SqlFailure.unreachable(e);
        }
    }

    /** Takes the lock of a session unless it has it already. Returns the server that has it, or null. */
    synchronized @Nullable String lock(Connection on, Dialect dialect, String session) {
        ConnectionLock lock = dialect.sessions().connectionLock();
        if (lock == null || servers.containsKey(session)) {
            return servers.get(session);
        }
        releaseLock = lock.release();
        try (PreparedStatement statement = on.prepareStatement(lock.take())) {
            statement.setString(1, session);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next() && row.getString(1) != null) {
                    servers.put(session, row.getString(1));
                }
            }
        } catch (SQLException e) {
            if (SqlFailure.isConnectionLost(e)) {
                throw SqlFailure.of("lock session " + session, e);
            }
            // Some clusters refuse such locks. Without one, the time-out decides alone.
            LOG.log(Level.DEBUG, "session {0} has no lock: {1}", session, e.getMessage());
        }
        return servers.get(session);
    }

    /** The sessions whose locks are on this very connection, which cannot see its own locks as others do. */
    synchronized Set<String> sessions() {
        return Set.copyOf(servers.keySet());
    }

    /** Ends the lock of a session, and the connection when it was the last one. */
    synchronized void leave(String session) {
        Connection open = conn;
        if (servers.remove(session) != null && open != null) {
            try (PreparedStatement statement = open.prepareStatement(releaseLock)) {
                statement.setString(1, session);
                statement.execute();
                if (!open.getAutoCommit()) {
                    open.commit();
                }
            } catch (SQLException e) {
                drop(); // It ends the lock as well.
                return;
            }
        }
        if (servers.isEmpty()) {
            conn = null;
            close(open);
        }
    }

    /** Ends the connection itself, so that no pool lends it with locks on it. */
    private void drop() {
        Connection open = conn;
        conn = null;
        servers.clear();
        if (open != null) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.log(Level.DEBUG, "a connection could not be aborted: {0}", e.getMessage());
            }
            showThatItIsBroken(open);
            close(open);
        }
    }

    // A pool drops a connection once a call on it has failed. MySQL's driver lets an aborted one be closed without a
    // failure, and the pool would lend it again.
    private static void showThatItIsBroken(Connection aborted) {
        try (Statement statement = aborted.createStatement()) {
            LOG.log(Level.DEBUG, "an aborted connection still gives statements: {0}", statement);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "a connection was aborted: {0}", e.getMessage());
        }
    }

    private static void close(@Nullable Connection open) {
        try {
            if (open != null) {
                open.close();
            }
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "a connection could not be closed: {0}", e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        drop();
    }
}
