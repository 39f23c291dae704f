package outbox.spi.operations;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Selects stored events. An event matches when it meets every condition that is not null.
 *
 * @param key the ordering key
 * @param error a pattern of the whole last error, in which {@code *} is anything, also nothing, and every other
 *     character is itself; an event without an error has an empty one
 * @param createdFrom inclusive
 * @param createdBefore exclusive
 */
public record EventFilter(
        @Nullable State state,
        @Nullable String eventType,
        @Nullable String key,
        @Nullable String aggregateId,
        @Nullable String tenantId,
        @Nullable String error,
        @Nullable Instant createdFrom,
        @Nullable Instant createdBefore) {

    public static final EventFilter ALL = new EventFilter(null, null, null, null, null, null, null, null);

    /** The states that operators search by. */
    public enum State {
        /** New, or waiting for its retry. */
        PENDING,
        /** Failed at least once, and waiting for its retry. */
        RETRY,
        DONE,
        DEAD
    }

    public EventFilter {
        if (createdFrom != null && createdBefore != null && !createdFrom.isBefore(createdBefore)) {
            throw new IllegalArgumentException(
                    "createdFrom must be before createdBefore, were " + createdFrom + " and " + createdBefore);
        }
    }

    public EventFilter withState(@Nullable State newState) {
        return new EventFilter(newState, eventType, key, aggregateId, tenantId, error, createdFrom, createdBefore);
    }

    public EventFilter withEventType(@Nullable String type) {
        return new EventFilter(state, type, key, aggregateId, tenantId, error, createdFrom, createdBefore);
    }

    public EventFilter withKey(@Nullable String newKey) {
        return new EventFilter(state, eventType, newKey, aggregateId, tenantId, error, createdFrom, createdBefore);
    }

    public EventFilter withAggregateId(@Nullable String id) {
        return new EventFilter(state, eventType, key, id, tenantId, error, createdFrom, createdBefore);
    }

    public EventFilter withTenantId(@Nullable String id) {
        return new EventFilter(state, eventType, key, aggregateId, id, error, createdFrom, createdBefore);
    }

    public EventFilter withError(@Nullable String pattern) {
        return new EventFilter(state, eventType, key, aggregateId, tenantId, pattern, createdFrom, createdBefore);
    }

    public EventFilter createdBetween(@Nullable Instant from, @Nullable Instant before) {
        return new EventFilter(state, eventType, key, aggregateId, tenantId, error, from, before);
    }

    /** Whether it has no condition on the time of creation. */
    public boolean spansAnyTime() {
        return createdFrom == null && createdBefore == null;
    }

    /** Describes the conditions, for people. */
    public String describe() {
        StringBuilder text =
                new StringBuilder(state == null ? "all events" : state.name().toLowerCase(Locale.ROOT) + " events");
        add(text, " of type ", eventType);
        add(text, " of key ", key);
        add(text, " of aggregate ", aggregateId);
        add(text, " of tenant ", tenantId);
        add(text, " created from ", createdFrom);
        add(text, " created before ", createdBefore);
        add(text, " with the error ", error);
        return text.toString();
    }

    private static void add(StringBuilder text, String before, @Nullable Object value) {
        if (value != null) {
            text.append(before).append(value);
        }
    }
}
