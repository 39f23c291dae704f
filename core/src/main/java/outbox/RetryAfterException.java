package outbox;

import java.time.Duration;

/** Thrown by a listener to say when it wants the event again. The attempt counts like any other failure. */
public final class RetryAfterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration delay;

    public RetryAfterException(Duration delay, String reason) {
        super(reason);
        if (delay.isNegative()) {
            throw new IllegalArgumentException("retry delay must not be negative, was " + delay);
        }
        this.delay = delay;
    }

    public Duration delay() {
        return delay;
    }
}
