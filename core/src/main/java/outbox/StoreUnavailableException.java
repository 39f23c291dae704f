package outbox;

import org.jspecify.annotations.Nullable;

/** The store cannot be reached, or the connection to it was lost. What was asked for may have happened or not. */
public final class StoreUnavailableException extends OutboxException {

    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
