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
 * The Spring transaction of the current thread, on one DataSource, whoever began it: {@code @Transactional}, a
 * {@code TransactionTemplate}, the JDBC or the JPA transaction manager.
 *
 * <p>What is published in a transaction of its own ({@code REQUIRES_NEW}) shares that one's fate, and what is published
 * in a nested one is forgotten when its savepoint is rolled back. A savepoint that was made by hand on the JDBC
 * connection, behind Spring's back, is not seen.
 *
 * <p>A transaction on another DataSource, or a read-only one, is refused before anything is written: there the event
 * could not be atomic with the business data.
 */
public final class SpringTxContext implements TxContext {

    private final DataSource dataSource;
    private final DataSource root;

    /** For transactions on this DataSource. It may be a proxy of the one that the transaction manager has, or the reverse. */
    public SpringTxContext(DataSource dataSource) {
        this.dataSource = dataSource;
        this.root = rootOf(dataSource);
    }

    /** False also in the after-completion phase of a transaction, when nothing that is written would be committed. */
    @Override
    public boolean isTransactionActive() {
        return CurrentTransaction.isActive();
    }

    /**
     * The transaction's own connection.
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
                    && rootOf(key).equals(root)) {
                return holder;
            }
        }
        return null;
    }

    private static DataSource rootOf(DataSource dataSource) {
        DataSource inner = dataSource;
        while (inner instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
            inner = proxy.getTargetDataSource();
        }
        return inner;
    }

    // While another DataSource has the transaction, a connection of ours may be bound to the thread, too: it commits
    // every statement by itself.
    private Connection transactional(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw anotherDataSource();
            }
            return connection;
        } catch (SQLException e) {
            throw new OutboxException("the transaction's connection does not say whether it is in a transaction", e);
        }
    }

    private IllegalStateException anotherDataSource() {
        return new IllegalStateException(
                "transaction " + CurrentTransaction.name() + " is not on the outbox's DataSource (" + dataSource
                        + "), so the event would not be atomic with it. Publish in a transaction of the transaction manager of"
                        + " that DataSource; a JPA transaction manager has to be given it.");
    }

    @Override
    public void afterCommit(Runnable callback) {
        CurrentTransaction.end(this).afterCommit(callback);
    }

    /** Also when the savepoint is rolled back that was made before the callback was registered. */
    @Override
    public void afterRollback(Runnable callback) {
        CurrentTransaction.end(this).afterRollback(callback);
    }
}
