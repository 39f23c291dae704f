package outbox.jdbc;

import java.sql.Connection;
import outbox.internal.ThreadTransaction;
import outbox.spi.TxContext;

/** The transaction of the current thread, for applications that manage their transactions by hand. */
public final class ThreadLocalTxContext implements TxContext {

    private final ThreadTransaction<Connection> current = new ThreadTransaction<>();

    @Override
    public boolean isTransactionActive() {
        return current.isBound();
    }

    @Override
    public Connection currentConnection() {
        return current.carrier();
    }

    @Override
    public void afterCommit(Runnable callback) {
        current.afterCommit(callback);
    }

    @Override
    public void afterRollback(Runnable callback) {
        current.afterRollback(callback);
    }

    /** Makes the connection's transaction the current one of this thread. */
    public void bind(Connection connection) {
        current.bind(connection);
    }

    /** Ends the current transaction after its commit, and runs what waited for that. */
    public void committed() {
        current.committed();
    }

    /** Ends the current transaction after its rollback, and runs what waited for that. */
    public void rolledBack() {
        current.rolledBack();
    }
}
