package outbox.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status and history of a stored event. All times are by the database's clock.
 *
 * @param replays how often an operator has made the event pending again
 * @param deaths how many processes in a row ended, froze or were cut off while they had it; any answer to an attempt
 *     resets it
 */
public record EventState(
        EventStatus status,
        int attempts,
        Instant createdAt,
        Instant availableAt,
        @Nullable Instant lastAttemptAt,
        @Nullable Instant doneAt,
        @Nullable String lastError,
        int replays,
        int deaths) {

    /** The state of an event without replays and deaths. */
    public EventState(
            EventStatus status,
            int attempts,
            Instant createdAt,
            Instant availableAt,
            @Nullable Instant lastAttemptAt,
            @Nullable Instant doneAt,
            @Nullable String lastError) {
        this(status, attempts, createdAt, availableAt, lastAttemptAt, doneAt, lastError, 0, 0);
    }
}
