package outbox.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.Numbering;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekRequest.Position;
import outbox.spi.relay.PeekResult;

/** Looks at the pending events as relays do, with limits that no test reaches unless it sets them. */
final class PartitionScan {

    static final int EVENTS_MAX = 10_000;
    static final long BYTES_MAX = 64L * 1024 * 1024;

    private final PartitionStore store;
    private final ClusterLayout terms;

    PartitionScan(PartitionStore store, ClusterLayout terms) {
        this.store = store;
        this.terms = terms;
    }

    int partitionOf(EventEnvelope event) {
        return terms.partitionOf(RelayNode.hashOf(event));
    }

    PartitionPage fetch(int slot) {
        return fetch(slot, 0, Set.of());
    }

    PartitionPage fetch(int slot, long afterSeq, Set<Integer> lanesLeftOut) {
        return fetch(new PartitionFetch(terms, slot, afterSeq, lanesLeftOut, EVENTS_MAX, BYTES_MAX));
    }

    /** What a reader is shown that has read up to here in this numbering. */
    PartitionPage fetchBehind(int slot, long afterSeq, @Nullable Numbering numbering) {
        return fetch(requestBehind(slot, afterSeq, numbering, Set.of()));
    }

    PartitionFetch requestBehind(int slot, long afterSeq, @Nullable Numbering numbering, Set<String> known) {
        return new PartitionFetch(terms, slot, afterSeq, numbering, Set.of(), known, EVENTS_MAX, BYTES_MAX);
    }

    PartitionPage fetchAtMost(int slot, int eventsMax, long bytesMax) {
        return fetchAtMost(slot, Set.of(), eventsMax, bytesMax);
    }

    PartitionPage fetchAtMost(int slot, Set<Integer> lanesLeftOut, int eventsMax, long bytesMax) {
        return fetch(new PartitionFetch(terms, slot, 0, lanesLeftOut, eventsMax, bytesMax));
    }

    PartitionFetch request(int slot, long afterSeq, Set<Integer> lanesLeftOut, int eventsMax) {
        return new PartitionFetch(terms, slot, afterSeq, lanesLeftOut, eventsMax, BYTES_MAX);
    }

    PartitionFetch requestKnowing(int slot, Set<String> known, int eventsMax) {
        return new PartitionFetch(terms, slot, 0, null, Set.of(), known, eventsMax, BYTES_MAX);
    }

    PartitionPage fetch(PartitionFetch request) {
        return store.fetch(List.of(request)).get(0);
    }

    List<PartitionPage> fetch(List<PartitionFetch> requests) {
        return store.fetch(requests);
    }

    /** What all slots have after a position, slot by slot. */
    List<FetchedEvent> all() {
        List<FetchedEvent> all = new ArrayList<>();
        partitions().forEach(slot -> all.addAll(fetch(slot).events()));
        return all;
    }

    /** The event as a relay reads it. */
    FetchedEvent read(EventEnvelope event) {
        return fetch(partitionOf(event)).events().stream()
                .filter(pending -> pending.event().eventId().equals(event.eventId()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no event " + event.eventId() + " in order"));
    }

    boolean shows(EventEnvelope event) {
        return ids(fetch(partitionOf(event)).events()).contains(event.eventId());
    }

    List<Integer> partitions() {
        return IntStream.range(0, terms.partitions()).boxed().toList();
    }

    LanePage lane(String key) {
        return lanes(Set.of(KeyHash.of(key)), EVENTS_MAX, BYTES_MAX).get(0);
    }

    List<LanePage> lanes(Set<Integer> lanes, int eventsPerLaneMax, long bytesMax) {
        return store.fetchLanes(new LaneFetch(lanes, eventsPerLaneMax, bytesMax));
    }

    /** A look at all slots from their beginning. */
    PeekResult poll(@Nullable Instant dueSince) {
        return poll(
                partitions().stream()
                        .map(slot -> new Position(slot, 0, Set.of()))
                        .toList(),
                dueSince);
    }

    PeekResult poll(List<Position> positions, @Nullable Instant dueSince) {
        return store.peek(new PeekRequest(terms, positions, dueSince));
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

    /** Up to where a page vouches for all; zero if it vouches for nothing. */
    static long upTo(PartitionPage page) {
        return page.horizon() instanceof Horizon.UpTo(long seq) ? seq : 0;
    }

    static List<String> ids(List<FetchedEvent> events) {
        return events.stream().map(pending -> pending.event().eventId()).toList();
    }
}
