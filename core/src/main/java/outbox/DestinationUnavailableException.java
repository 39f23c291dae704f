package outbox;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a listener that knows that the system it delivers to cannot be reached or cannot work. The attempt does not
 * count: the event stays pending, however long the outage lasts, and is delivered again after a short delay.
 */
public final class DestinationUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final @Nullable Duration retryAfter;

    public DestinationUnavailableException(String reason) {
        super(reason);
        this.retryAfter = null;
    }

    public DestinationUnavailableException(String reason, Throwable cause) {
        super(reason, cause);
        this.retryAfter = null;
    }

    /** Says when it is worth trying again. */
    public DestinationUnavailableException(String reason, Duration retryAfter) {
        super(reason);
        if (retryAfter.isNegative()) {
            throw new IllegalArgumentException("retryAfter must not be negative, was " + retryAfter);
        }
        this.retryAfter = retryAfter;
    }

    /** When it is worth trying again, if that is known. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
