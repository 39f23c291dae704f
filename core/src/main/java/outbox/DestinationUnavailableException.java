package outbox;

/**
 * Thrown by a listener that knows that the system it delivers to cannot be reached or cannot work. The attempt does not
 * count: the event stays pending, however long the outage lasts, and is delivered again after a short delay.
 */
public final class DestinationUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DestinationUnavailableException(String reason) {
        super(reason);
    }

    public DestinationUnavailableException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
