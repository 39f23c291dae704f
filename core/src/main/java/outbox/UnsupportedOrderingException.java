package outbox;

/** A configuration that could not keep the order it was asked to keep. The message says what to use instead. */
public final class UnsupportedOrderingException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public UnsupportedOrderingException(String message) {
        super(message);
    }
}
