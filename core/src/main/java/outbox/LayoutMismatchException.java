package outbox;

/** A relay or a dispatcher that does not fit how the table is worked. The message says what to change. */
public final class LayoutMismatchException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public LayoutMismatchException(String message) {
        super(message);
    }
}
