package outbox.relay;

import java.time.Duration;
import java.time.Instant;
import outbox.internal.KeyHash;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.relay.FetchedEvent;

/** Pending events as a store would give them, for tests of single stages. */
public final class Rows {

    public static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

    private Rows() {}

    /** Due at once. */
    public static FetchedEvent row(long seq, String key) {
        return row(seq, key, "thing", 2);
    }

    public static FetchedEvent row(long seq, String key, String type, int payloadBytes) {
        return new FetchedEvent(seq, lane(key), event(seq, key, type, payloadBytes, null), Duration.ZERO);
    }

    /** Failed before, and not due yet. */
    public static FetchedEvent waiting(long seq, String key, Duration untilDue) {
        return new FetchedEvent(seq, lane(key), event(seq, key, "thing", 2, null), untilDue);
    }

    /** With headers that cannot be read. */
    public static FetchedEvent unreadable(long seq, String key) {
        return new FetchedEvent(seq, lane(key), event(seq, key, "thing", 2, "no JSON"), Duration.ZERO);
    }

    public static int lane(String key) {
        return KeyHash.of(key);
    }

    private static OutboxEvent event(long seq, String key, String type, int payloadBytes, String headers) {
        EventState state = new EventState(EventStatus.NEW, 0, CREATED, CREATED, null, null, null);
        return new OutboxEvent(
                "event-" + seq,
                type,
                null,
                null,
                null,
                key,
                null,
                new byte[payloadBytes],
                headers,
                CREATED,
                null,
                state);
    }
}
