package outbox.mongodb.internal.relay;

import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;

/**
 * Peeks at all partitions of a node by one command. Finding out whether a partition has new events is one step into an
 * index; delayed events that came due are a range of another index.
 *
 * <p>At most a thousand due events are returned, and all that came due at the same time as the last of them. So the
 * next peek, which begins after that time, misses none, however many share it.
 */
record PeekRead(MongoSource source, PeekRequest request) {

    private static final int DUE_MAX = 1_000;
    private static final String NOW = "now";
    private static final String NEW_EVENTS = "newEvents";
    private static final String NEXT = "next";
    private static final String DUE = "due";

    private static final Bson DELAYED = Filters.and(
            Expression.PENDING, Filters.eq(Field.DELAYED, true), Filters.type(Field.DUE_AT, BsonType.DATE_TIME));

    PeekResult execute() {
        List<Document> answers = source.snapshot(
                "peek at partitions",
                collections -> collections.database().aggregate(pipeline()).into(new ArrayList<>()));
        Instant now = Instant.EPOCH;
        Instant next = null;
        Instant lastDue = null;
        int due = 0;
        Set<Integer> partitions = new HashSet<>();
        Set<Integer> lanesDue = new HashSet<>();
        for (Document answer : answers) {
            if (answer.containsKey(NOW)) {
                now = EventDocuments.required(answer, NOW);
            } else if (answer.containsKey(NEXT)) {
                next = EventDocuments.required(answer, NEXT);
            } else if (answer.containsKey(NEW_EVENTS)) {
                partitions.add(answer.getInteger(NEW_EVENTS));
            } else {
                lastDue = EventDocuments.required(answer, DUE);
                lanesDue.add(answer.get(Field.KEY_HASH, Number.class).intValue());
                due++;
            }
        }
        Duration nextDue = next == null ? null : Duration.between(now, next);
        if (due < DUE_MAX || lastDue == null) {
            return new PeekResult(partitions, lanesDue, now, false, nextDue);
        }
        lanesDue.addAll(lanesDueAt(lastDue));
        return new PeekResult(partitions, lanesDue, lastDue, true, nextDue);
    }

    private List<Bson> pipeline() {
        List<Bson> pipeline = new ArrayList<>();
        pipeline.add(new Document("$documents", List.of(new Document(NOW, Expression.NOW))));
        pipeline.add(union(
                Filters.and(DELAYED, Filters.expr(Expression.of("$gt", "$" + Field.DUE_AT, Expression.NOW))),
                new Document(Field.DUE_AT, 1),
                1,
                new Document(NEXT, "$" + Field.DUE_AT)));
        request.positions().forEach(position -> pipeline.add(newEvents(position)));
        if (request.dueSince() != null && !request.positions().isEmpty()) {
            pipeline.add(union(
                    Filters.and(
                            DELAYED,
                            Filters.gt(Field.DUE_AT, Date.from(request.dueSince())),
                            Filters.expr(Expression.DUE),
                            inPartitions()),
                    new Document(Field.DUE_AT, 1),
                    DUE_MAX,
                    new Document(DUE, "$" + Field.DUE_AT).append(Field.KEY_HASH, 1)));
        }
        return pipeline;
    }

    // A peek does not need the oldest event. Whether there is any is found fastest through the index of lanes, whatever
    // is excluded and however much was settled recently. Without a horizon, relays never ask from a position, but
    // might.
    private Document newEvents(PeekRequest.Position position) {
        PartitionBuckets partition =
                PartitionBuckets.of(request.terms(), position.partition(), position.lanesLeftOut());
        Document found = new Document(NEW_EVENTS, Expression.literal(position.partition()));
        return position.afterSeq() == 0
                ? union(partition.byLane(), new Document(Field.BUCKET, 1).append(Field.KEY_HASH, 1), 1, found)
                : union(partition.bySeq(position.afterSeq()), new Document(Field.SEQ, 1), 1, found);
    }

    private Document union(Bson filter, Document order, int limit, Document fields) {
        return new Document(
                "$unionWith",
                new Document("coll", source.names().event())
                        .append(
                                "pipeline",
                                List.of(
                                        new Document("$match", filter),
                                        new Document("$sort", order),
                                        new Document("$limit", limit),
                                        new Document("$project", fields.append(Field.ID, 0)))));
    }

    private Bson inPartitions() {
        List<Integer> partitions = request.positions().stream()
                .map(PeekRequest.Position::partition)
                .toList();
        // Another program may have written a value that has no remainder.
        return Filters.expr(Expression.of(
                "$and",
                new Document("$isNumber", "$" + Field.KEY_HASH),
                Expression.of(
                        "$in",
                        Expression.of(
                                "$mod", "$" + Field.KEY_HASH, request.terms().partitions()),
                        partitions)));
    }

    private Set<Integer> lanesDueAt(Instant time) {
        Bson filter = Filters.and(DELAYED, Filters.eq(Field.DUE_AT, Date.from(time)), inPartitions());
        return source.snapshot(
                "read due events",
                collections -> collections
                        .events()
                        .find(filter)
                        .projection(new Document(Field.KEY_HASH, 1))
                        .map(event -> event.get(Field.KEY_HASH, Number.class).intValue())
                        .into(new HashSet<>()));
    }
}
