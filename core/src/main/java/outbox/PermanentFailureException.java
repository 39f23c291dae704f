package outbox;

/** Thrown by a listener when trying again cannot help. The event is dead at once, with this reason. */
public final class PermanentFailureException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PermanentFailureException(String reason) {
        super(reason);
    }

    public PermanentFailureException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
