package outbox.spi.operations;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which stored events are meant. Everything that is said has to hold.
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

    /** Where an event stands, in the words that people ask with. */
    public enum State {
        /** Not settled for good: new, or waiting for its retry. */
        PENDING,
        /** Failed at least once, and to be tried again. */
        RETRY,
        DONE,
        DEAD
    }

    public EventFilter {
        if (createdFrom != null && createdBefore != null && !createdFrom.isBefore(createdBefore)) {
            throw new IllegalArgumentException("the time from which on must be before the one until which, were "
                    + createdFrom + " and " + createdBefore);
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

    /** Whether it leaves the time of creation open. */
    public boolean spansAnyTime() {
        return createdFrom == null && createdBefore == null;
    }

    /** For people: what the filter says, and no more. */
    public String describe() {
        StringBuilder words =
                new StringBuilder(state == null ? "all events" : state.name().toLowerCase(Locale.ROOT) + " events");
        add(words, " of type ", eventType);
        add(words, " of key ", key);
        add(words, " of aggregate ", aggregateId);
        add(words, " of tenant ", tenantId);
        add(words, " created from ", createdFrom);
        add(words, " created before ", createdBefore);
        add(words, " with the error ", error);
        return words.toString();
    }

    private static void add(StringBuilder words, String before, @Nullable Object value) {
        if (value != null) {
            words.append(before).append(value);
        }
    }
}
