package outbox.spring;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What Spring knows of the current thread's transaction, whatever it is a transaction of. */
final class CurrentTransaction {

    private CurrentTransaction() {}

    /** False also in the after-completion phase, when nothing that is written would be committed. */
    static boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /**
     * Refuses transactions that events cannot be stored in.
     *
     * @param owner the context that stores them
     * @throws IllegalStateException that says why not
     */
    static void requireWritable(Object owner) {
        requireActive();
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException("transaction " + name() + " is read-only, so events cannot be stored in it."
                    + " Publish in one that is not.");
        }
        TransactionEnd end = TransactionEnd.find(owner);
        if (end != null && end.isCommitted()) {
            throw new IllegalStateException("transaction " + name() + " has committed already, so events can no longer"
                    + " be stored in it. Publish before its end, or in a new one (REQUIRES_NEW).");
        }
    }

    /** Its end, as the context wants to be told of it. */
    static TransactionEnd end(Object owner) {
        requireActive();
        return TransactionEnd.ofCurrent(owner);
    }

    private static void requireActive() {
        if (!isActive()) {
            throw new IllegalStateException("no transaction is active on this thread");
        }
    }

    /** For people. */
    static String name() {
        String name = TransactionSynchronizationManager.getCurrentTransactionName();
        return name == null ? "of this thread" : name;
    }
}
