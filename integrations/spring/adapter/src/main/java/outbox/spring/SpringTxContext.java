package outbox.spring;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import outbox.OutboxException;
import outbox.spi.TxContext;

/**
 * Stores events in the current thread's Spring transaction, on one DataSource. The transaction may come from {@code
 * @Transactional} or a {@code TransactionTemplate}, and from the JDBC or the JPA transaction manager.
 *
 * <p>An event that is published in a {@code REQUIRES_NEW} transaction commits or rolls back with that transaction. An
 * event that is published in a nested transaction is forgotten when its savepoint is rolled back. A savepoint that the
 * application sets directly on the JDBC connection is invisible to Spring, and so to this class.
 *
 * <p>A transaction on another DataSource, or a read-only one, is refused before anything is written: the event could
 * not be atomic with the business data.
 */
public final class SpringTxContext implements TxContext {

    private final DataSource dataSource;
    private final DataSource unwrapped;

    /** Creates a context for this DataSource, which may be a proxy of the transaction manager's, or the reverse. */
    public SpringTxContext(DataSource dataSource) {
        this.dataSource = dataSource;
        this.unwrapped = unwrap(dataSource);
    }

    /** Returns whether events can be stored: not in the after-completion phase. */
    @Override
    public boolean isTransactionActive() {
        return CurrentTransaction.isActive();
    }

    /**
     * Returns the transaction's own connection.
     *
     * @throws IllegalStateException when there is no transaction, or one in which events cannot be stored
     */
    @Override
    public Connection currentConnection() {
        CurrentTransaction.requireWritable(this);
        return transactional(boundConnection());
    }

    private Connection boundConnection() {
        ConnectionHolder holder = holder();
        if (holder == null) {
            throw anotherDataSource();
        }
        return holder.getConnection();
    }

    private @Nullable ConnectionHolder holder() {
        if (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder) {
            return holder;
        }
        for (Map.Entry<Object, Object> resource :
                TransactionSynchronizationManager.getResourceMap().entrySet()) {
            if (resource.getKey() instanceof DataSource key
                    && resource.getValue() instanceof ConnectionHolder holder
                    && unwrap(key).equals(unwrapped)) {
                return holder;
            }
        }
        return null;
    }

    private static DataSource unwrap(DataSource dataSource) {
        DataSource inner = dataSource;
        while (inner instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
            inner = proxy.getTargetDataSource();
        }
        return inner;
    }

    // A connection of our DataSource may be bound to the thread while the transaction belongs to another DataSource.
    // Such a connection commits every statement on its own.
    private Connection transactional(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw anotherDataSource();
            }
            return connection;
        } catch (SQLException e) {
            throw new OutboxException("the transaction's connection does not report whether it is in a transaction", e);
        }
    }

    private IllegalStateException anotherDataSource() {
        return new IllegalStateException(
                "transaction " + CurrentTransaction.name() + " is not on the outbox's DataSource (" + dataSource
                        + "), so the event would not be atomic with it. Publish in a transaction of the transaction manager of"
                        + " that DataSource; a JPA transaction manager needs to know it.");
    }

    @Override
    public void afterCommit(Runnable callback) {
        CurrentTransaction.end(this).afterCommit(callback);
    }

    /** Runs the callback also when a savepoint is rolled back that was set before the callback was registered. */
    @Override
    public void afterRollback(Runnable callback) {
        CurrentTransaction.end(this).afterRollback(callback);
    }
}
