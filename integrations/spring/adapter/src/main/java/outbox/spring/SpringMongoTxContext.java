package outbox.spring;

import com.mongodb.client.ClientSession;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoDatabaseUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import outbox.mongodb.MongoTxContext;

/**
 * Stores events in the current thread's transaction of a {@code MongoTransactionManager}, on one database factory. The
 * transaction may come from {@code @Transactional} or a {@code TransactionTemplate}.
 *
 * <p>An event that is published in a {@code REQUIRES_NEW} transaction commits or rolls back with that transaction.
 * MongoDB has no savepoints, and so no nested transactions.
 *
 * <p>A transaction of another transaction manager is refused before anything is written. That includes the case in
 * which Spring Data has joined a session to it ({@code SessionSynchronization.ALWAYS}): such a session commits after
 * the transaction, when synchronizations have already been notified of the commit.
 */
public final class SpringMongoTxContext implements MongoTxContext {

    private final MongoDatabaseFactory factory;

    /** Creates a context for transactions on this factory, which must be the transaction manager's. */
    public SpringMongoTxContext(MongoDatabaseFactory factory) {
        this.factory = factory;
    }

    /** Returns whether events can be stored: not in the after-completion phase. */
    @Override
    public boolean isTransactionActive() {
        return CurrentTransaction.isActive();
    }

    /**
     * Returns the transaction's own session.
     *
     * @throws IllegalStateException when there is no transaction, or one in which events cannot be stored
     */
    @Override
    public ClientSession currentSession() {
        CurrentTransaction.requireWritable(this);
        ClientSession session = SessionLookup.find(factory);
        if (session == null || !session.hasActiveTransaction() || isJoined()) {
            throw new IllegalStateException("transaction " + CurrentTransaction.name() + " was not begun by a"
                    + " MongoTransactionManager of the outbox's MongoDatabaseFactory (database "
                    + factory.getMongoDatabase().getName() + "), so the event would not be atomic with it. Publish in a"
                    + " transaction of that manager.");
        }
        return session;
    }

    // Spring Data shows this only by the synchronization that it has registered.
    private static boolean isJoined() {
        return TransactionSynchronizationManager.getSynchronizations().stream()
                .anyMatch(one -> one.getClass().getEnclosingClass() == MongoDatabaseUtils.class);
    }

    @Override
    public void afterCommit(Runnable callback) {
        CurrentTransaction.end(this).afterCommit(callback);
    }

    @Override
    public void afterRollback(Runnable callback) {
        CurrentTransaction.end(this).afterRollback(callback);
    }
}
