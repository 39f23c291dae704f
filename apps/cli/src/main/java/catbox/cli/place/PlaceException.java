package catbox.cli.place;

import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/** An outbox cannot be reached, or does not let us in. */
public final class PlaceException extends OutboxException {

    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** What stands in the way. */
    public enum Kind {
        UNREACHABLE,
        /** The server is there, and its source is not. */
        NOT_CONNECTED,
        REFUSED,
        NOT_POSSIBLE
    }

    public PlaceException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
