package outbox.mongodb.internal.relay;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.bson.conversions.Bson;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.CorruptEvents;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.StoredEvent;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;

/**
 * Claim: a look at a slot, by one command on one snapshot, from its oldest event on; when many wait, by a few commands.
 *
 * <p>Behind a parked key a hundred thousand events may wait. So when the lanes that are left out hold many events, their
 * buckets are read lane by lane. What is read so is not the oldest of its bucket; but each lane comes from its front,
 * which is all that order needs, and the bucket and the lane to begin with change from look to look, so that all have
 * their turn. A lane is read by one of these commands, so that they need not be of one snapshot.
 *
 * @param turn a number that changes from look to look
 */
record PartitionRead(MongoSource source, PartitionFetch request, int turn) {

    /** So many events of lanes that are left out are passed, rather than reading lane by lane. */
    private static final int PASSED_MAX = 500;

    private static final Bson BY_LANE = Sorts.ascending(Field.BUCKET, Field.KEY_HASH, Field.SEQ);

    /**
     * What was read, as far as it fits.
     *
     * @param complete whether that is all there is
     */
    private record Seen(List<StoredEvent> events, boolean complete) {}

    PartitionPage execute() {
        return new CorruptEvents(source).without(this::look);
    }

    private PartitionPage look(Consumer<StoredEvent> faulty) {
        PartitionBuckets whole = PartitionBuckets.of(request.terms(), request.partition(), request.lanesLeftOut());
        return source.look("fetch events of slot " + request.partition(), collections -> {
            boolean crowded = !whole.leftOut().isEmpty() && isCrowded(collections, whole);
            return fetched(crowded ? lookAtParts(collections, whole) : bySeq(collections, whole), faulty);
        });
    }

    private static boolean isCrowded(OutboxCollections collections, PartitionBuckets part) {
        CountOptions some = new CountOptions().hintString(EventIndex.LANE).limit(PASSED_MAX);
        return collections.events().countDocuments(part.withLanesLeftOut().ofLanesLeftOut(), some) == PASSED_MAX;
    }

    // What is read lane by lane is cut before it is sorted: otherwise the youngest would be cut off each time.
    private Seen lookAtParts(OutboxCollections collections, PartitionBuckets whole) {
        Seen crowded = byLane(collections, whole.withLanesLeftOut());
        PartitionBuckets others = whole.withoutLanesLeftOut();
        Seen rest = others.isEmpty() ? new Seen(List.of(), true) : bySeq(collections, others);
        List<StoredEvent> events = new ArrayList<>(crowded.events());
        events.addAll(rest.events());
        events.sort(Comparator.comparingLong(StoredEvent::seq));
        Seen all = fitting(events);
        return new Seen(all.events(), all.complete() && crowded.complete() && rest.complete());
    }

    private Seen bySeq(OutboxCollections collections, PartitionBuckets part) {
        return fitting(read(collections, part.bySeq(request.afterSeq()), Sorts.ascending(Field.SEQ), EventIndex.SLOT));
    }

    // From the bucket on, and in each from the lane on, whose turn it is; then from the first ones up to there.
    private Seen byLane(OutboxCollections collections, PartitionBuckets part) {
        int bucket = turn % part.buckets().size();
        List<StoredEvent> events = new ArrayList<>();
        for (Bson lanes : List.of(Filters.gt(Field.KEY_HASH, turn), Filters.lte(Field.KEY_HASH, turn))) {
            for (PartitionBuckets buckets : List.of(part.from(bucket), part.upTo(bucket))) {
                if (events.size() < limit() && !buckets.isEmpty()) {
                    Bson some = Filters.and(buckets.byLane(), lanes);
                    events.addAll(read(collections, some, BY_LANE, EventIndex.LANE));
                }
            }
        }
        return fitting(events);
    }

    private List<StoredEvent> read(OutboxCollections collections, Bson filter, Bson order, String index) {
        FindIterable<StoredEvent> found = collections
                .storedEvents()
                .find(withoutKnown(filter))
                .sort(order)
                .hintString(index)
                .limit(limit())
                // Larger than the limit: so the server sees the end, and need not be told that we are done.
                .batchSize(limit() + 1)
                .projection(EventDocuments.FIELDS);
        List<StoredEvent> events = new ArrayList<>();
        long bytes = 0;
        try (MongoCursor<StoredEvent> cursor = found.iterator()) {
            // Until there is one more than may be: that one tells that these are not all.
            for (boolean over = false; !over && cursor.hasNext(); ) {
                over = bytes > request.bytesMax();
                StoredEvent event = cursor.next();
                bytes += event.payloadBytes();
                events.add(event);
            }
        }
        return events;
    }

    private Bson withoutKnown(Bson filter) {
        return request.inMemoryIds().isEmpty()
                ? filter
                : Filters.and(filter, Filters.nin(Field.ID, request.inMemoryIds()));
    }

    /** One more than asked for, which tells whether these are all. */
    private int limit() {
        return request.eventsMax() + 1;
    }

    private Seen fitting(List<StoredEvent> read) {
        int events = 0;
        long bytes = 0;
        for (int i = 0; i < read.size(); i++) {
            if (read.get(i).isReadable()) {
                bytes += read.get(i).payloadBytes();
                if (events == request.eventsMax() || (bytes > request.bytesMax() && events > 0)) {
                    return new Seen(read.subList(0, i), false);
                }
                events++;
            }
        }
        return new Seen(read, true);
    }

    private PartitionPage fetched(Seen seen, Consumer<StoredEvent> faulty) {
        List<FetchedEvent> events = new ArrayList<>(seen.events().size());
        Instant now = null;
        for (StoredEvent event : seen.events()) {
            if (!event.isReadable()) {
                faulty.accept(event);
                continue;
            }
            if (event.mayWait() && now == null) {
                now = source.now();
            }
            events.add(event.pending(now));
        }
        return PartitionPage.withoutHorizon(events, seen.complete());
    }
}
