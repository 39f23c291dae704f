package outbox;

import org.jspecify.annotations.Nullable;

/** The environment failed: the database, its schema, or what lies between. Misuse has other exceptions. */
public class OutboxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public OutboxException(String message) {
        super(message);
    }

    public OutboxException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
