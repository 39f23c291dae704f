package outbox;

/** Something was handed to a dispatcher that has been closed. What is stored stays stored. */
public final class DispatcherClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public DispatcherClosedException(String attempted) {
        super("cannot " + attempted + ": the dispatcher is closed. Stored events stay in the outbox and are"
                + " delivered by another instance, or by a new dispatcher.");
    }
}
