package outbox.admin.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.EventHistory.Acknowledged;
import outbox.spi.operations.EventHistory.FailedAttempt;
import outbox.spi.operations.EventSummary;

/**
 * One event with its history, without its payload.
 *
 * @param partition that its key belongs to; null where there are none
 * @param payloadBytes the payload's size
 * @param arrival where it was delivered to, if this node still remembers
 * @param attempts the failed ones, oldest first
 * @param acknowledged by some of several destinations, while others are missing
 * @param acts of operators, oldest first
 * @param edited whether an operator has changed its payload or headers
 * @param explanation where it stands and what it waits for, in sentences
 */
public record EventView(
        EventSummary event,
        @Nullable Integer partition,
        long payloadBytes,
        @Nullable Integer maxAttempts,
        @Nullable Arrival arrival,
        List<FailedAttempt> attempts,
        List<Acknowledged> acknowledged,
        List<AuditEntry> acts,
        boolean edited,
        String explanation) {

    /**
     * Where an event has arrived.
     *
     * @param place what the destination calls it, with partition and offset where it has them
     */
    public record Arrival(String nodeId, String destination, String place, Instant at) {}
}
