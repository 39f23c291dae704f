package outbox.mongodb;

import com.mongodb.client.ClientSession;

/** The MongoDB transaction that the current thread is in, as whoever manages it sees it. */
public interface MongoTxContext {

    boolean isTransactionActive();

    /** The session whose transaction the business operations take part in. Never committed or closed by the outbox. */
    ClientSession currentSession();

    /** Runs the callback once the current transaction has committed, and not otherwise. */
    void afterCommit(Runnable callback);

    /** Runs the callback once the current transaction has rolled back, and not otherwise. */
    void afterRollback(Runnable callback);
}
