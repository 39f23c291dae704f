package outbox.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.FetchRequest;
import outbox.model.Fetched;
import outbox.model.LaneContent;
import outbox.model.LaneRequest;
import outbox.model.PendingEvent;
import outbox.model.PollRequest;
import outbox.model.PollRequest.Position;
import outbox.model.Polled;
import outbox.model.RelayTerms;
import outbox.spi.RelayStore;
import outbox.util.KeyHash;

/** Looks at the pending events as relays do, with limits that no test reaches unless it sets them. */
final class SlotReader {

    static final int EVENTS_MAX = 10_000;
    static final long BYTES_MAX = 64L * 1024 * 1024;

    private final RelayStore store;
    private final RelayTerms terms;

    SlotReader(RelayStore store, RelayTerms terms) {
        this.store = store;
        this.terms = terms;
    }

    int slotOf(EventEnvelope event) {
        return terms.slotOf(RelayNode.hashOf(event));
    }

    Fetched fetch(int slot) {
        return fetch(slot, 0, Set.of());
    }

    Fetched fetch(int slot, long afterSeq, Set<Integer> lanesLeftOut) {
        return store.fetch(new FetchRequest(terms, slot, afterSeq, lanesLeftOut, EVENTS_MAX, BYTES_MAX));
    }

    Fetched fetchAtMost(int slot, int eventsMax, long bytesMax) {
        return fetchAtMost(slot, Set.of(), eventsMax, bytesMax);
    }

    Fetched fetchAtMost(int slot, Set<Integer> lanesLeftOut, int eventsMax, long bytesMax) {
        return store.fetch(new FetchRequest(terms, slot, 0, lanesLeftOut, eventsMax, bytesMax));
    }

    FetchRequest request(int slot, long afterSeq, Set<Integer> lanesLeftOut, int eventsMax) {
        return new FetchRequest(terms, slot, afterSeq, lanesLeftOut, eventsMax, BYTES_MAX);
    }

    FetchRequest requestKnowing(int slot, Set<String> known, int eventsMax) {
        return new FetchRequest(terms, slot, 0, Set.of(), known, eventsMax, BYTES_MAX);
    }

    Fetched fetch(FetchRequest request) {
        return store.fetch(request);
    }

    List<Fetched> fetchTogether(List<FetchRequest> requests) {
        return store.fetchTogether(requests);
    }

    /** What all slots have after a position, slot by slot. */
    List<PendingEvent> all() {
        List<PendingEvent> all = new ArrayList<>();
        slots().forEach(slot -> all.addAll(fetch(slot).events()));
        return all;
    }

    /** The event as a relay reads it. */
    PendingEvent read(EventEnvelope event) {
        return fetch(slotOf(event)).events().stream()
                .filter(pending -> pending.event().eventId().equals(event.eventId()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no event " + event.eventId() + " in order"));
    }

    boolean shows(EventEnvelope event) {
        return ids(fetch(slotOf(event)).events()).contains(event.eventId());
    }

    List<Integer> slots() {
        return IntStream.range(0, terms.partitions()).boxed().toList();
    }

    LaneContent lane(String key) {
        return lanes(Set.of(KeyHash.of(key)), EVENTS_MAX, BYTES_MAX).get(0);
    }

    List<LaneContent> lanes(Set<Integer> lanes, int eventsPerLaneMax, long bytesMax) {
        return store.fetchLanes(new LaneRequest(lanes, eventsPerLaneMax, bytesMax));
    }

    /** A look at all slots from their beginning. */
    Polled poll(@Nullable Instant dueSince) {
        return poll(
                slots().stream().map(slot -> new Position(slot, 0, Set.of())).toList(), dueSince);
    }

    Polled poll(List<Position> positions, @Nullable Instant dueSince) {
        return store.poll(new PollRequest(terms, positions, dueSince));
    }

    /** The store's clock. */
    Instant now() {
        return poll(List.of(new Position(0, 0, Set.of())), null).dueUntil();
    }

    /** Returns the store's time once it is after this one. */
    Instant awaitAfter(Instant earlier) {
        Await.until("the store's clock has moved on", () -> now().isAfter(earlier));
        return now();
    }

    static List<String> ids(List<PendingEvent> events) {
        return events.stream().map(pending -> pending.event().eventId()).toList();
    }
}
