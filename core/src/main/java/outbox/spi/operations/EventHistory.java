package outbox.spi.operations;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records about one event outside its row.
 *
 * @param attempts the failed attempts, oldest first
 * @param acknowledged the destinations that have taken it, while others have not
 * @param acts the actions of operators, oldest first
 * @param original what was published, if an operator has changed it
 */
public record EventHistory(
        List<FailedAttempt> attempts,
        List<Acknowledged> acknowledged,
        List<AuditEntry> acts,
        @Nullable Original original) {

    public EventHistory {
        attempts = List.copyOf(attempts);
        acknowledged = List.copyOf(acknowledged);
        acts = List.copyOf(acts);
    }

    /**
     * An attempt that failed.
     *
     * @param attempt counted from 1
     */
    public record FailedAttempt(int attempt, String nodeId, String destination, String error, Instant failedAt) {}

    /** A destination that has taken the event. */
    public record Acknowledged(String target, Instant acknowledgedAt) {}

    /** The content of an event before its first change. */
    // The array is shared on purpose, as that of OutboxEvent is.
    @SuppressWarnings("ArrayRecordComponent")
    public record Original(
            @Nullable String payloadJson,
            byte @Nullable [] payloadBytes,
            @Nullable String headersJson,
            Instant changedAt) {}
}
