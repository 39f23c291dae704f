package outbox.mongodb;

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
import outbox.model.FetchRequest;
import outbox.model.Fetched;
import outbox.model.PendingEvent;

/**
 * Claim: a look at a slot, by one command on one snapshot, from its oldest event on.
 *
 * <p>Behind a parked key a hundred thousand events may wait. So when the lanes that are left out hold many events, their
 * buckets are read lane by lane. What is read so is not the oldest of its bucket; but each lane comes from its front,
 * which is all that order needs, and the lane to begin with changes from look to look, so that all have their turn. A
 * lane lies in one bucket, so that what is read in several commands need not be of one snapshot.
 *
 * @param turn a number that changes from look to look
 */
record SlotRead(MongoSource source, FetchRequest request, int turn) {

    /** So many events of lanes that are left out are passed, rather than reading lane by lane. */
    private static final int PASSED_MAX = 500;

    private static final Bson BY_LANE = Sorts.ascending(Field.BUCKET, Field.KEY_HASH, Field.SEQ);

    Fetched execute() {
        return new Unreadable(source).without(this::look);
    }

    private Fetched look(Consumer<StoredEvent> faulty) {
        SlotPart whole = SlotPart.of(request.terms(), request.slot(), request.lanesLeftOut());
        return source.look("fetch events of slot " + request.slot(), collections -> {
            boolean crowded = !whole.leftOut().isEmpty() && isCrowded(collections, whole);
            return cut(crowded ? lookAtParts(collections, whole) : bySeq(collections, whole), faulty);
        });
    }

    private static boolean isCrowded(OutboxCollections collections, SlotPart part) {
        CountOptions some = new CountOptions().hintString(EventIndex.LANE).limit(PASSED_MAX);
        return collections.events().countDocuments(part.withLanesLeftOut().ofLanesLeftOut(), some) == PASSED_MAX;
    }

    private List<StoredEvent> lookAtParts(OutboxCollections collections, SlotPart whole) {
        List<StoredEvent> events = byLane(collections, whole.withLanesLeftOut());
        SlotPart others = whole.withoutLanesLeftOut();
        if (!others.isEmpty()) {
            events.addAll(bySeq(collections, others));
        }
        events.sort(Comparator.comparingLong(StoredEvent::seq));
        return events;
    }

    private List<StoredEvent> bySeq(OutboxCollections collections, SlotPart part) {
        return read(collections, part.bySeq(request.afterSeq()), Sorts.ascending(Field.SEQ), EventIndex.SLOT);
    }

    private List<StoredEvent> byLane(OutboxCollections collections, SlotPart part) {
        Bson behind = Filters.gt(Field.KEY_HASH, turn);
        List<StoredEvent> events = read(collections, Filters.and(part.byLane(), behind), BY_LANE, EventIndex.LANE);
        if (events.size() < limit()) {
            Bson before = Filters.lte(Field.KEY_HASH, turn);
            events.addAll(read(collections, Filters.and(part.byLane(), before), BY_LANE, EventIndex.LANE));
        }
        return events;
    }

    private List<StoredEvent> read(OutboxCollections collections, Bson filter, Bson order, String index) {
        FindIterable<StoredEvent> found = collections
                .storedEvents()
                .find(filter)
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
                bytes += event.isReadable() ? event.event().payloadSize() : 0;
                events.add(event);
            }
        }
        return events;
    }

    /** One more than asked for, which tells whether these are all. */
    private int limit() {
        return request.eventsMax() + 1;
    }

    private Fetched cut(List<StoredEvent> read, Consumer<StoredEvent> faulty) {
        List<PendingEvent> events = new ArrayList<>(read.size());
        Instant now = null;
        long bytes = 0;
        for (StoredEvent event : read) {
            if (!event.isReadable()) {
                faulty.accept(event);
                continue;
            }
            bytes += event.event().payloadSize();
            if (events.size() == request.eventsMax() || (bytes > request.bytesMax() && !events.isEmpty())) {
                return new Fetched(events, false, Fetched.NO_HORIZON);
            }
            if (event.mayWait() && now == null) {
                now = source.now();
            }
            events.add(event.pending(now));
        }
        return new Fetched(events, true, Fetched.NO_HORIZON);
    }
}
