package outbox.mongodb.internal.relay;

import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.Buckets;
import outbox.mongodb.internal.event.CorruptEvents;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.StoredEvent;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;

/** Fetches the events of lanes through their index. */
record LaneRead(MongoSource source, LaneFetch request) {

    private static final String LANE = "lane";
    private static final String EVENT = "event";

    List<LanePage> execute() {
        List<Integer> lanes = request.lanes().stream().sorted().toList();
        return new CorruptEvents(source).without(faulty -> read(lanes, faulty));
    }

    private List<LanePage> read(List<Integer> lanes, Consumer<StoredEvent> faulty) {
        return source.snapshot("fetch events of " + lanes.size() + " lanes", collections -> {
            try (MongoCursor<StoredEvent> cursor = collections
                    .database()
                    .aggregate(pipeline(lanes), StoredEvent.class)
                    .cursor()) {
                Found found = new Found(request);
                Instant now = null;
                while (!found.full && cursor.hasNext()) {
                    StoredEvent event = cursor.next();
                    if (!event.isReadable()) {
                        faulty.accept(event);
                        continue;
                    }
                    if (event.mayWait() && now == null) {
                        now = source.now();
                    }
                    found.add(event.pending(now), event.payloadBytes());
                }
                return found.pages(lanes);
            }
        });
    }

    // Reads the front of each lane's range of the index. The $unwind directly after the $lookup makes the server return
    // events one by one, instead of collecting those of a lane in one document, which might become too large.
    private List<Bson> pipeline(List<Integer> lanes) {
        List<Bson> front = List.of(
                new Document(
                        "$match",
                        Filters.and(
                                Expression.PENDING,
                                Filters.expr(Expression.of("$eq", "$" + Field.BUCKET, "$$" + Field.BUCKET)),
                                Filters.expr(Expression.of("$eq", "$" + Field.KEY_HASH, "$$" + LANE)),
                                Expression.IN_ORDER)),
                new Document("$sort", new Document(Field.SEQ, 1)),
                new Document("$limit", request.eventsPerLaneMax() + 1L),
                new Document("$unset", EventDocuments.RECORDS));
        return List.of(
                new Document(
                        "$documents",
                        lanes.stream()
                                .map(lane -> new Document(LANE, lane).append(Field.BUCKET, Buckets.of(lane)))
                                .toList()),
                new Document(
                        "$lookup",
                        new Document("from", source.names().event())
                                .append("let", new Document(LANE, "$" + LANE).append(Field.BUCKET, "$" + Field.BUCKET))
                                .append("pipeline", front)
                                .append("as", EVENT)),
                new Document("$unwind", "$" + EVENT),
                new Document("$replaceWith", "$" + EVENT));
    }

    /** Collects the events that fit, lane by lane. */
    private static final class Found {

        private final LaneFetch request;
        private final Map<Integer, List<FetchedEvent>> events = new TreeMap<>();
        private final Set<Integer> cut = new HashSet<>();
        private long bytes;
        private boolean full;
        private int fullAt = Integer.MAX_VALUE;

        Found(LaneFetch request) {
            this.request = request;
        }

        void add(FetchedEvent event, long size) {
            int hash = event.keyHash();
            List<FetchedEvent> lane = events.computeIfAbsent(hash, h -> new ArrayList<>());
            if (lane.size() == request.eventsPerLaneMax()) {
                cut.add(hash);
            } else if (bytes + size > request.bytesMax() && !(lane.isEmpty() && events.size() == 1)) {
                full = true;
                fullAt = hash;
            } else {
                bytes += size;
                lane.add(event);
            }
        }

        List<LanePage> pages(List<Integer> lanes) {
            return lanes.stream()
                    .map(hash -> new LanePage(
                            hash, events.getOrDefault(hash, List.of()), !cut.contains(hash) && hash < fullAt))
                    .toList();
        }
    }
}
