package outbox.spring;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import outbox.internal.ErrorText;

/**
 * Runs the callbacks of one transaction at its end, in the order of their registration.
 *
 * <p>There is one instance per transaction and context. Spring removes it while the transaction is suspended, so a
 * nested {@code REQUIRES_NEW} transaction has its own. A savepoint leaves a mark in the list, and its rollback forgets
 * the callbacks after the mark. A savepoint that is older than this object left no mark, so all callbacks came after
 * it.
 *
 * <p>Used only by the thread that the transaction is bound to.
 */
final class TransactionEnd implements TransactionSynchronization {

    private static final Logger LOG = System.getLogger(TransactionEnd.class.getName());

    private final Object owner;
    private final List<Step> steps = new ArrayList<>();
    /** Callbacks of savepoints that were rolled back. They run at the end, when the rollback is certain. */
    private final List<Runnable> alreadyRolledBack = new ArrayList<>();

    private boolean committed;

    private sealed interface Step {}

    private record AfterCommit(Runnable callback) implements Step {}

    private record AfterRollback(Runnable callback) implements Step {}

    private record Savepoint(Object savepoint) implements Step {}

    private TransactionEnd(Object owner) {
        this.owner = owner;
    }

    /** Returns the callbacks of the current transaction, or null when none is registered yet. */
    static @Nullable TransactionEnd find(Object owner) {
        for (TransactionSynchronization one : TransactionSynchronizationManager.getSynchronizations()) {
            if (one instanceof TransactionEnd end && end.owner.equals(owner)) {
                return end;
            }
        }
        return null;
    }

    static TransactionEnd ofCurrent(Object owner) {
        TransactionEnd found = find(owner);
        if (found != null) {
            return found;
        }
        TransactionEnd end = new TransactionEnd(owner);
        TransactionSynchronizationManager.registerSynchronization(end);
        return end;
    }

    void afterCommit(Runnable callback) {
        steps.add(new AfterCommit(callback));
    }

    void afterRollback(Runnable callback) {
        steps.add(new AfterRollback(callback));
    }

    boolean isCommitted() {
        return committed;
    }

    // ---- notifications of Spring ---------------------------------------------------------------------------------

    /** Runs before all other synchronizations, so that one of them that publishes after the commit is refused. */
    @Override
    public int getOrder() {
        return Integer.MIN_VALUE;
    }

    @Override
    public void savepoint(Object savepoint) {
        steps.add(new Savepoint(savepoint));
    }

    @Override
    public void savepointRollback(Object savepoint) {
        List<Step> forgotten = steps.subList(steps.indexOf(new Savepoint(savepoint)) + 1, steps.size());
        forgotten.forEach(step -> {
            if (step instanceof AfterRollback rollback) {
                alreadyRolledBack.add(rollback.callback());
            }
        });
        forgotten.clear();
    }

    @Override
    public void afterCommit() {
        committed = true;
        for (Step step : steps) {
            if (step instanceof AfterCommit commit) {
                run(commit.callback());
            }
        }
    }

    @Override
    public void afterCompletion(int status) {
        alreadyRolledBack.forEach(TransactionEnd::run);
        if (status == STATUS_ROLLED_BACK) {
            for (Step step : steps) {
                if (step instanceof AfterRollback rollback) {
                    run(rollback.callback());
                }
            }
        } else if (status == STATUS_COMMITTED && !committed) {
            // Registered after others were notified of the commit: whether the event is stored depends on the driver.
            LOG.log(
                    Level.WARNING,
                    "events were published after their transaction had committed; publish before its end, or in a"
                            + " new one (REQUIRES_NEW)");
        }
    }

    // The transaction is over, so a failing callback must not make it appear to have failed.
    private static void run(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a callback at the end of a transaction failed: " + ErrorText.of(e), e);
        }
    }
}
