package outbox.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of the current thread with its callbacks, for applications that manage transactions by hand.
 *
 * @param <T> the carrier of the transaction: a connection or a session
 */
public final class ThreadTransaction<T> {

    private static final Logger LOG = System.getLogger(ThreadTransaction.class.getName());

    // One per context and not static: an application with two databases has two contexts on one thread.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Active<T>> current = new ThreadLocal<>();

    private record Active<T>(T carrier, List<Runnable> afterCommit, List<Runnable> afterRollback) {}

    /** Makes this transaction the current one of this thread. */
    public void bind(T carrier) {
        if (isBound()) {
            throw new IllegalStateException("this thread is in a transaction already; commit or roll it back first");
        }
        current.set(new Active<>(carrier, new ArrayList<>(), new ArrayList<>()));
    }

    public boolean isBound() {
        return current.get() != null;
    }

    public T carrier() {
        return active().carrier();
    }

    public void afterCommit(Runnable callback) {
        active().afterCommit().add(callback);
    }

    public void afterRollback(Runnable callback) {
        active().afterRollback().add(callback);
    }

    /** Ends the current transaction after its commit, and runs the callbacks for it. */
    public void committed() {
        run(unbind().afterCommit());
    }

    /** Ends the current transaction after its rollback, and runs the callbacks for it. */
    public void rolledBack() {
        run(unbind().afterRollback());
    }

    /** Ends the current transaction, whose result is unknown, and runs no callback. */
    public void unknown() {
        unbind();
    }

    private Active<T> unbind() {
        Active<T> active = active();
        current.remove();
        return active;
    }

    private Active<T> active() {
        Active<T> active = current.get();
        if (active == null) {
            throw new IllegalStateException("this thread is in no transaction");
        }
        return active;
    }

    // The transaction is over, so a failing callback must not appear as a failed transaction.
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
