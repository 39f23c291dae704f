package outbox.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What happened to a stored event so far. All times are the database's. */
public record EventState(
        EventStatus status,
        int attempts,
        Instant createdAt,
        Instant availableAt,
        @Nullable Instant lastAttemptAt,
        @Nullable Instant doneAt,
        @Nullable String lastError) {}
