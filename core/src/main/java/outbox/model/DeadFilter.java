package outbox.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which dead events are meant. Every field that is not null must match.
 *
 * @param errorContains matches a part of the last error, to the letter
 * @param createdFrom inclusive
 * @param createdBefore exclusive
 */
public record DeadFilter(
        @Nullable String eventType,
        @Nullable String aggregateId,
        @Nullable String tenantId,
        @Nullable String errorContains,
        @Nullable Instant createdFrom,
        @Nullable Instant createdBefore) {

    /** Every dead event. */
    public static DeadFilter all() {
        return new DeadFilter(null, null, null, null, null, null);
    }

    public DeadFilter ofType(String type) {
        return new DeadFilter(type, aggregateId, tenantId, errorContains, createdFrom, createdBefore);
    }

    public DeadFilter ofAggregate(String id) {
        return new DeadFilter(eventType, id, tenantId, errorContains, createdFrom, createdBefore);
    }

    public DeadFilter ofTenant(String id) {
        return new DeadFilter(eventType, aggregateId, id, errorContains, createdFrom, createdBefore);
    }

    public DeadFilter withErrorContaining(String part) {
        return new DeadFilter(eventType, aggregateId, tenantId, part, createdFrom, createdBefore);
    }

    public DeadFilter createdBetween(Instant from, Instant before) {
        return new DeadFilter(eventType, aggregateId, tenantId, errorContains, from, before);
    }
}
