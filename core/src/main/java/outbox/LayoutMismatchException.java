package outbox;

/** A relay or a dispatcher does not fit the layout of the table. The message says what to change. */
public final class LayoutMismatchException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public LayoutMismatchException(String message) {
        super(message);
    }
}
