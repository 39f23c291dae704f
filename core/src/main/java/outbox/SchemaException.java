package outbox;

/** The outbox tables are missing or of another version than this library. The message says what to run. */
public final class SchemaException extends OutboxException {

    private static final long serialVersionUID = 1L;

    public SchemaException(String message) {
        super(message);
    }
}
