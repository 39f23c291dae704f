package outbox.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import outbox.spi.ConnectionProvider;

/**
 * Keeps a few connections open for one user, so that a heartbeat never has to wait for a pool which the application has
 * emptied: other nodes take a node without heartbeats for dead.
 *
 * <p>A connection that is released is kept for the next caller, unless it is broken or enough are kept. It is as its
 * user left it, which suits the outbox's own stores: they leave it as they found it.
 */
public final class ReservedConnections implements ConnectionProvider, AutoCloseable {

    private final ConnectionProvider provider;
    private final int keptMax;
    private final Deque<Connection> idle = new ArrayDeque<>(); // guarded by this
    private boolean closed; // guarded by this

    /**
     * Opens nothing yet.
     *
     * @param keptMax how many connections to keep; a relay's registry uses three at most
     */
    public ReservedConnections(ConnectionProvider provider, int keptMax) {
        if (keptMax < 1) {
            throw new IllegalArgumentException("keptMax must be at least 1, was " + keptMax);
        }
        this.provider = provider;
        this.keptMax = keptMax;
    }

    @Override
    public Connection getConnection() throws SQLException {
        for (Connection kept = takeIdle(); kept != null; kept = takeIdle()) {
            if (!kept.isClosed()) { // Drivers close what they find to be broken.
                return lent(kept);
            }
        }
        return lent(provider.getConnection());
    }

    private synchronized @Nullable Connection takeIdle() {
        return idle.pollFirst();
    }

    private Connection lent(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                ReservedConnections.class.getClassLoader(), new Class<?>[] {Connection.class}, new Lent(connection));
    }

    /** A connection on loan: closing it releases it. */
    private final class Lent implements InvocationHandler {
        private final Connection connection;
        private boolean returned;

        Lent(Connection connection) {
            this.connection = connection;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getName().equals("close") && method.getParameterCount() == 0) {
                if (!returned) {
                    returned = true;
                    release(connection);
                }
                return null;
            }
            if (returned && !method.getName().equals("isClosed")) {
                throw new SQLException("the connection was released");
            }
            try {
                return returned ? true : method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    private void release(Connection connection) throws SQLException {
        boolean keep = !connection.isClosed();
        synchronized (this) {
            keep &= !closed && idle.size() < keptMax;
            if (keep) {
                idle.addFirst(connection);
            }
        }
        if (!keep) {
            connection.close();
        }
    }

    @Override
    public void close() {
        Deque<Connection> left;
        synchronized (this) {
            closed = true;
            left = new ArrayDeque<>(idle);
            idle.clear();
        }
        for (Connection connection : left) {
            try {
                connection.close();
            } catch (SQLException e) {
                System.getLogger(ReservedConnections.class.getName())
                        .log(System.Logger.Level.DEBUG, "a connection could not be closed: {0}", e.getMessage());
            }
        }
    }
}
