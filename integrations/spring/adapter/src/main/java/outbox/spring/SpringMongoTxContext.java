package outbox.spring;

import com.mongodb.client.ClientSession;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoDatabaseUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import outbox.mongodb.MongoTxContext;

/**
 * The transaction of the current thread that a {@code MongoTransactionManager} began, on one database factory, by
 * {@code @Transactional} or a {@code TransactionTemplate}.
 *
 * <p>What is published in a transaction of its own ({@code REQUIRES_NEW}) shares that one's fate. MongoDB has no
 * savepoints, and so no nested transactions.
 *
 * <p>A transaction of another transaction manager is refused before anything is written, also where Spring Data has
 * joined a session to it ({@code SessionSynchronization.ALWAYS}): that session commits after the transaction, when
 * everybody has been told already that it is committed.
 */
public final class SpringMongoTxContext implements MongoTxContext {

    private final MongoDatabaseFactory factory;

    /** For transactions on this factory, which is the transaction manager's. */
    public SpringMongoTxContext(MongoDatabaseFactory factory) {
        this.factory = factory;
    }

    /** False also in the after-completion phase of a transaction, when nothing that is written would be committed. */
    @Override
    public boolean isTransactionActive() {
        return CurrentTransaction.isActive();
    }

    /**
     * The transaction's own session.
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

    // Spring Data says so only by what it has registered.
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
