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
 * Fetches events of a partition from its oldest event on, by one command on one snapshot; behind many events of
 * excluded lanes, by a few commands.
 *
 * <p>A hundred thousand events may wait behind a parked key. So if the excluded lanes hold many events, their buckets
 * are read lane by lane. This does not return the oldest events of such a bucket, but each lane is read from its front,
 * which is all that order needs. The first bucket and the first lane change from read to read, so that every lane gets
 * its share. Each lane is read by one of these commands, so they do not have to share a snapshot.
 *
 * @param rotation a number that changes from read to read
 */
record PartitionRead(MongoSource source, PartitionFetch request, int rotation) {

    /** More events of excluded lanes than this are not skipped one by one: then the partition is read lane by lane. */
    private static final int SKIPPED_MAX = 500;

    private static final Bson BY_LANE = Sorts.ascending(Field.BUCKET, Field.KEY_HASH, Field.SEQ);

    /**
     * The events that fit.
     *
     * @param complete whether there are no others
     */
    private record Part(List<StoredEvent> events, boolean complete) {}

    PartitionPage execute() {
        return new CorruptEvents(source).without(this::read);
    }

    private PartitionPage read(Consumer<StoredEvent> faulty) {
        PartitionBuckets whole = PartitionBuckets.of(request.terms(), request.partition(), request.lanesLeftOut());
        return source.snapshot("fetch events of partition " + request.partition(), collections -> {
            boolean skipsMany = !whole.excluded().isEmpty() && skipsMany(collections, whole);
            return page(skipsMany ? inParts(collections, whole) : bySeq(collections, whole), faulty);
        });
    }

    private static boolean skipsMany(OutboxCollections collections, PartitionBuckets part) {
        CountOptions bounded = new CountOptions().hintString(EventIndex.LANE).limit(SKIPPED_MAX);
        return collections.events().countDocuments(part.withExcludedLanes().ofExcludedLanes(), bounded) == SKIPPED_MAX;
    }

    // The lanes are cut to the limit before all events are sorted: otherwise the latest ones would be cut off each
    // time.
    private Part inParts(OutboxCollections collections, PartitionBuckets whole) {
        Part lanes = byLane(collections, whole.withExcludedLanes());
        PartitionBuckets others = whole.withoutExcludedLanes();
        Part rest = others.isEmpty() ? new Part(List.of(), true) : bySeq(collections, others);
        List<StoredEvent> events = new ArrayList<>(lanes.events());
        events.addAll(rest.events());
        events.sort(Comparator.comparingLong(StoredEvent::seq));
        Part all = fitting(events);
        return new Part(all.events(), all.complete() && lanes.complete() && rest.complete());
    }

    private Part bySeq(OutboxCollections collections, PartitionBuckets part) {
        return fitting(read(collections, part.bySeq(request.afterSeq()), Sorts.ascending(Field.SEQ), EventIndex.SLOT));
    }

    // Begins with the bucket and the lane that the rotation selects, and continues with those before them.
    private Part byLane(OutboxCollections collections, PartitionBuckets part) {
        int bucket = rotation % part.buckets().size();
        List<StoredEvent> events = new ArrayList<>();
        for (Bson lanes : List.of(Filters.gt(Field.KEY_HASH, rotation), Filters.lte(Field.KEY_HASH, rotation))) {
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
                .find(withoutInMemory(filter))
                .sort(order)
                .hintString(index)
                .limit(limit())
                // Larger than the limit, so that the server reaches the end and needs no command to close the cursor.
                .batchSize(limit() + 1)
                .projection(EventDocuments.FIELDS);
        List<StoredEvent> events = new ArrayList<>();
        long bytes = 0;
        try (MongoCursor<StoredEvent> cursor = found.iterator()) {
            // Stops after one event too many, which shows that there are others.
            for (boolean over = false; !over && cursor.hasNext(); ) {
                over = bytes > request.bytesMax();
                StoredEvent event = cursor.next();
                bytes += event.payloadBytes();
                events.add(event);
            }
        }
        return events;
    }

    private Bson withoutInMemory(Bson filter) {
        return request.inMemoryIds().isEmpty()
                ? filter
                : Filters.and(filter, Filters.nin(Field.ID, request.inMemoryIds()));
    }

    /** One more than requested, which shows whether there are others. */
    private int limit() {
        return request.eventsMax() + 1;
    }

    private Part fitting(List<StoredEvent> read) {
        int events = 0;
        long bytes = 0;
        for (int i = 0; i < read.size(); i++) {
            if (read.get(i).isReadable()) {
                bytes += read.get(i).payloadBytes();
                if (events == request.eventsMax() || (bytes > request.bytesMax() && events > 0)) {
                    return new Part(read.subList(0, i), false);
                }
                events++;
            }
        }
        return new Part(read, true);
    }

    private PartitionPage page(Part part, Consumer<StoredEvent> faulty) {
        List<FetchedEvent> events = new ArrayList<>(part.events().size());
        Instant now = null;
        for (StoredEvent event : part.events()) {
            if (!event.isReadable()) {
                faulty.accept(event);
                continue;
            }
            if (event.mayWait() && now == null) {
                now = source.now();
            }
            events.add(event.pending(now));
        }
        return PartitionPage.withoutHorizon(events, part.complete());
    }
}
