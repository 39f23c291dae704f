package outbox.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import outbox.spi.ConnectionProvider;

/** Begins, commits and rolls back transactions by hand, and lets the outbox know of them. */
public final class JdbcTransactionManager {

    private static final Logger LOG = System.getLogger(JdbcTransactionManager.class.getName());

    private final ConnectionProvider connectionProvider;
    private final ThreadLocalTxContext txContext;

    public JdbcTransactionManager(ConnectionProvider connectionProvider, ThreadLocalTxContext txContext) {
        this.connectionProvider = connectionProvider;
        this.txContext = txContext;
    }

    /** Begins a transaction on this thread. To be closed; one that was not committed is then rolled back. */
    public Transaction begin() throws SQLException {
        if (txContext.isTransactionActive()) {
            throw new IllegalStateException("this thread is in a transaction already; commit or roll it back first");
        }
        Connection connection = connectionProvider.getConnection();
        try {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            txContext.bind(connection);
            return new Transaction(connection, autoCommit);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Work inside a transaction. */
    @FunctionalInterface
    public interface Work {
        void run(Connection connection) throws SQLException;
    }

    /** Runs the work in a transaction: commits when it returns, rolls back when it throws. */
    public void run(Work work) throws SQLException {
        try (Transaction tx = begin()) {
            work.run(tx.connection());
            tx.commit();
        }
    }

    /** A transaction of the thread that began it. */
    public final class Transaction implements AutoCloseable {

        private final Connection connection;
        private final boolean autoCommit;
        private boolean open = true;

        private Transaction(Connection connection, boolean autoCommit) {
            this.connection = connection;
            this.autoCommit = autoCommit;
        }

        public Connection connection() {
            return connection;
        }

        /** Commits. A commit that fails leaves the transaction open for {@link #close()} to roll back. */
        public void commit() throws SQLException {
            requireOpen();
            connection.commit();
            open = false;
            try {
                // Released first: what runs after commit may need a connection of the same pool.
                release();
            } catch (SQLException e) {
                LOG.log(Level.WARNING, "committed, but the connection could not be released: " + e.getMessage(), e);
            } finally {
                txContext.committed();
            }
        }

        public void rollback() throws SQLException {
            requireOpen();
            open = false;
            try {
                connection.rollback();
            } finally {
                try {
                    release();
                } finally {
                    txContext.rolledBack();
                }
            }
        }

        @Override
        public void close() throws SQLException {
            if (open) {
                rollback();
            }
        }

        private void release() throws SQLException {
            try (connection) {
                connection.setAutoCommit(autoCommit);
            }
        }

        private void requireOpen() {
            if (!open) {
                throw new IllegalStateException("the transaction has ended already");
            }
        }
    }
}
