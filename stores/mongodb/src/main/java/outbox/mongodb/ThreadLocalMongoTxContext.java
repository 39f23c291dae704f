package outbox.mongodb;

import com.mongodb.client.ClientSession;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;

/** The transaction of the current thread, for applications that manage their sessions by hand. */
public final class ThreadLocalMongoTxContext implements MongoTxContext {

    private static final Logger LOG = System.getLogger(ThreadLocalMongoTxContext.class.getName());

    // One per context and not static: an application with two databases has two contexts on one thread.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Active> current = new ThreadLocal<>();

    /** One attempt at a transaction: its session, and what is to happen at its end. */
    private record Active(ClientSession session, List<Runnable> afterCommit, List<Runnable> afterRollback) {}

    /** Also false when the session's transaction was ended behind the context's back. */
    @Override
    public boolean isTransactionActive() {
        Active active = current.get();
        return active != null && active.session().hasActiveTransaction();
    }

    @Override
    public ClientSession currentSession() {
        return active().session();
    }

    @Override
    public void afterCommit(Runnable callback) {
        active().afterCommit().add(callback);
    }

    @Override
    public void afterRollback(Runnable callback) {
        active().afterRollback().add(callback);
    }

    /** Makes the session's transaction the current one of this thread. */
    public void bind(ClientSession session) {
        if (current.get() != null) {
            throw new IllegalStateException("this thread is in a transaction already; commit or roll it back first");
        }
        current.set(new Active(session, new ArrayList<>(), new ArrayList<>()));
    }

    /** Ends the current transaction after its commit, and runs what waited for that. */
    public void committed() {
        run(unbind().afterCommit());
    }

    /** Ends the current transaction after its rollback, and runs what waited for that. */
    public void rolledBack() {
        run(unbind().afterRollback());
    }

    /** Ends the current transaction, of which nobody knows whether it was committed, and runs nothing. */
    public void unknown() {
        unbind();
    }

    boolean isBound() {
        return current.get() != null;
    }

    private Active unbind() {
        Active active = active();
        current.remove();
        return active;
    }

    private Active active() {
        Active active = current.get();
        if (active == null) {
            throw new IllegalStateException("this thread is in no transaction");
        }
        return active;
    }

    // The transaction is over, so a callback that fails must not look like a transaction that failed.
    private static void run(List<Runnable> callbacks) {
        for (Runnable callback : callbacks) {
            try {
                callback.run();
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "a callback at the end of a transaction failed: " + ErrorText.of(e), e);
            }
        }
    }
}
