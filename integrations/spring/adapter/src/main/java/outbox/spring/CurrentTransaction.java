package outbox.spring;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Reads Spring's state of the current thread's transaction, whatever resource it is a transaction of. */
final class CurrentTransaction {

    private CurrentTransaction() {}

    /** Returns whether events can still be stored: not in the after-completion phase. */
    static boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /**
     * Refuses transactions in which events cannot be stored.
     *
     * @param owner the context that stores them
     * @throws IllegalStateException that gives the reason
     */
    static void requireWritable(Object owner) {
        requireActive();
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException("transaction " + name() + " is read-only, so events cannot be stored in it."
                    + " Publish in a transaction that is not.");
        }
        TransactionEnd end = TransactionEnd.find(owner);
        if (end != null && end.isCommitted()) {
            throw new IllegalStateException("transaction " + name() + " has committed already, so events can no longer"
                    + " be stored in it. Publish before it ends, or in a new transaction (REQUIRES_NEW).");
        }
    }

    /** Returns the callbacks of the current transaction for this context, and registers them first if needed. */
    static TransactionEnd end(Object owner) {
        requireActive();
        return TransactionEnd.ofCurrent(owner);
    }

    private static void requireActive() {
        if (!isActive()) {
            throw new IllegalStateException("no transaction is active on this thread");
        }
    }

    /** Returns the transaction's name for messages. */
    static String name() {
        String name = TransactionSynchronizationManager.getCurrentTransactionName();
        return name == null ? "of this thread" : name;
    }
}
