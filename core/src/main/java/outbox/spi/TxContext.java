package outbox.spi;

import java.sql.Connection;

/** The current transaction of the calling thread. */
public interface TxContext {

    boolean isTransactionActive();

    /** The connection that the business operations of this transaction use. Never closed by the outbox. */
    Connection currentConnection();

    /** Runs the callback once the current transaction has committed, and not otherwise. */
    void afterCommit(Runnable callback);

    /** Runs the callback once the current transaction has rolled back, and not otherwise. */
    void afterRollback(Runnable callback);
}
