package outbox;

/** A relay whose settings differ from what the table is worked with. The message says what to change. */
public final class LayoutMismatchException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public LayoutMismatchException(String message) {
        super(message);
    }
}
