package outbox.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.internal.Utf8;
import outbox.util.JsonCodec;

/**
 * A row of the outbox as it is stored. The headers are still text, because a row that another program wrote may contain
 * anything; {@link #toEnvelope()} checks them.
 */
// The payload array is shared on purpose: a row is read once and becomes an envelope, which copies it.
@SuppressWarnings("ArrayRecordComponent")
public record OutboxEvent(
        String eventId,
        String eventType,
        @Nullable String aggregateType,
        @Nullable String aggregateId,
        @Nullable String tenantId,
        @Nullable String orderingKey,
        @Nullable String payloadJson,
        byte @Nullable [] payloadBytes,
        @Nullable String headersJson,
        Instant occurredAt,
        @Nullable Integer maxAttempts,
        EventState state) {

    public EventStatus status() {
        return state.status();
    }

    public int attempts() {
        return state.attempts();
    }

    /** See {@link EventState#deaths()}. */
    public int deaths() {
        return state.deaths();
    }

    public Instant createdAt() {
        return state.createdAt();
    }

    public Instant availableAt() {
        return state.availableAt();
    }

    /**
     * The time since which the event waits for its delivery. A delayed or replayed event waits from its due time on.
     * Once its first attempt is settled, the row no longer has that time, and the event counts from when it was stored.
     */
    public Instant waitsSince() {
        boolean isUntried = status() == EventStatus.NEW;
        return isUntried && availableAt().isAfter(createdAt()) ? availableAt() : createdAt();
    }

    /** The hash that names its lane, as {@link EventEnvelope#laneHash()} has it. */
    public int laneHash() {
        return KeyHash.ofLane(orderingKey, eventId);
    }

    /** The payload's size in bytes, as {@link EventEnvelope#payloadSize()} has it. */
    public long payloadSize() {
        return payloadBytes != null ? payloadBytes.length : payloadJson == null ? 0 : Utf8.length(payloadJson);
    }

    /**
     * The event as it was published. The payload is not checked: if another program has stored something other than
     * JSON, its receiver finds out.
     *
     * @throws IllegalArgumentException when the row contains something that could not have been published
     */
    public EventEnvelope toEnvelope() {
        EventEnvelope.Builder builder = EventEnvelope.builder(eventType)
                .eventId(eventId)
                .occurredAt(occurredAt)
                .aggregateType(aggregateType)
                .aggregateId(aggregateId)
                .tenantId(tenantId)
                .orderingKey(orderingKey)
                .payloadBytes(payloadBytes);
        if (payloadJson != null) {
            builder.storedPayloadJson(payloadJson);
        }
        if (maxAttempts != null) {
            builder.maxAttempts(maxAttempts);
        }
        if (headersJson != null) {
            builder.headers(JsonCodec.decode(headersJson));
        }
        return builder.build();
    }
}
