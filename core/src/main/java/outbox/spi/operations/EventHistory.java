package outbox.spi.operations;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is written down about one event beside its row.
 *
 * @param attempts the failed ones, oldest first
 * @param acknowledged by some of several destinations, while others are missing
 * @param acts of operators, oldest first
 * @param original what was published, if an operator has changed it since
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

    /** A destination that has the event already. */
    public record Acknowledged(String target, Instant acknowledgedAt) {}

    /** What an event carried before it was changed for the first time. */
    // The array is shared on purpose, as that of OutboxEvent is.
    @SuppressWarnings("ArrayRecordComponent")
    public record Original(
            @Nullable String payloadJson,
            byte @Nullable [] payloadBytes,
            @Nullable String headersJson,
            Instant changedAt) {}
}
