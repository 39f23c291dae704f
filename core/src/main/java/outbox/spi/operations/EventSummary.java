package outbox.spi.operations;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.model.EventState;

/**
 * A stored event as a list shows it, without payload and headers.
 *
 * @param seq its place in the order of insertion; 0 when it was not read
 * @param key the ordering key
 */
public record EventSummary(
        String eventId,
        long seq,
        String eventType,
        @Nullable String aggregateType,
        @Nullable String aggregateId,
        @Nullable String tenantId,
        @Nullable String key,
        Instant occurredAt,
        EventState state) {}
