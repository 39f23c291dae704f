package outbox.mongodb;

import com.mongodb.client.ClientSession;

/** Gives the outbox the current thread's MongoDB transaction, which another party manages. */
public interface MongoTxContext {

    boolean isTransactionActive();

    /** The session whose transaction the business operations take part in. The outbox never commits or closes it. */
    ClientSession currentSession();

    /** Runs the callback after the current transaction has committed, and only then. */
    void afterCommit(Runnable callback);

    /** Runs the callback after the current transaction was rolled back, and only then. */
    void afterRollback(Runnable callback);
}
