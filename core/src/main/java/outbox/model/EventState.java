package outbox.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a stored event so far. All times are the database's.
 *
 * @param replays how often an operator has made the event pending again
 */
public record EventState(
        EventStatus status,
        int attempts,
        Instant createdAt,
        Instant availableAt,
        @Nullable Instant lastAttemptAt,
        @Nullable Instant doneAt,
        @Nullable String lastError,
        int replays) {

    /** The state of an event that was never replayed. */
    public EventState(
            EventStatus status,
            int attempts,
            Instant createdAt,
            Instant availableAt,
            @Nullable Instant lastAttemptAt,
            @Nullable Instant doneAt,
            @Nullable String lastError) {
        this(status, attempts, createdAt, availableAt, lastAttemptAt, doneAt, lastError, 0);
    }
}
