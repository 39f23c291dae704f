package outbox;

/** Publishing was tried where no transaction is active, so the event could not be atomic with anything. */
public final class NoTransactionException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public NoTransactionException(int events) {
        super("publish needs an active transaction, and none is active on this thread: " + events
                + " event(s) not stored. Begin a transaction first, and publish on the thread that began it.");
    }
}
