package catbox.cli.connection;

import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/** An outbox cannot be reached, or refuses the request. */
public final class TargetException extends OutboxException {

    private static final long serialVersionUID = 1L;

    private final Kind kind;

    public enum Kind {
        UNREACHABLE,
        /** The server answers, but it is not connected to the source. */
        NOT_CONNECTED,
        REFUSED,
        NOT_POSSIBLE
    }

    TargetException(Kind kind, String message) {
        this(kind, message, null);
    }

    public TargetException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
