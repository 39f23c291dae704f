package outbox.mongodb;

import com.mongodb.client.ClientSession;
import outbox.internal.ThreadTransaction;

/** The transaction of the current thread, for applications that manage their sessions by hand. */
public final class ThreadLocalMongoTxContext implements MongoTxContext {

    private final ThreadTransaction<ClientSession> current = new ThreadTransaction<>();

    /** Also false when the session's transaction has ended without the context's knowledge. */
    @Override
    public boolean isTransactionActive() {
        return current.isBound() && current.carrier().hasActiveTransaction();
    }

    @Override
    public ClientSession currentSession() {
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

    /** Binds the session's transaction to this thread. */
    public void bind(ClientSession session) {
        current.bind(session);
    }

    /** Ends the current transaction after its commit, and runs the callbacks for that. */
    public void committed() {
        current.committed();
    }

    /** Ends the current transaction after its rollback, and runs the callbacks for that. */
    public void rolledBack() {
        current.rolledBack();
    }

    /** Ends the current transaction, whose outcome is unknown, and runs nothing. */
    public void unknown() {
        current.unknown();
    }

    boolean isBound() {
        return current.isBound();
    }
}
