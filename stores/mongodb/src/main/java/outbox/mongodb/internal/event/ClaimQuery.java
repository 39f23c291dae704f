package outbox.mongodb.internal.event;

import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.internal.KeyHash;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.spi.ClaimRequest;

/**
 * Claim and order: which events a claimer is to try, the longest due first, as one snapshot shows them.
 *
 * <p>Where order is kept these are heads of lanes: an event before which the snapshot shows none that is in order, in a
 * lane of which nobody holds an event. The lanes are those of the 500 events that are due longest; if those all wait
 * behind others, lanes are taken from the index one after the other, beginning at a place that the claim's token gives,
 * so that all have their turn.
 *
 * @param first whether the first event may be of any size
 */
record ClaimQuery(MongoSource source, ClaimRequest request, boolean first) {

    private static final int WINDOW = 500;
    private static final String BYTES = "bytes";
    private static final String LANE = "lane";
    private static final String HEAD = "head";
    private static final String HELD = "held";

    private static final Bson DUE_AND_FREE =
            Filters.and(Expression.PENDING, Expression.all(Expression.DUE, Expression.FREE));

    private static final Document LONGEST_DUE_FIRST =
            new Document("$sort", new Document(Field.DUE_AT, 1).append(Field.SEQ, 1));

    /** Whatever they are: another program may have written one that is no text, which whoever reads it sets dead. */
    List<Object> ids() {
        return switch (request.ordering()) {
            case NONE -> fitting(unordered());
            case KEY -> fitting(heads());
        };
    }

    private List<Document> unordered() {
        return request.suspects()
                ? suspectsOfWindow()
                : source.look(
                        "choose events",
                        collections -> collections
                                .events()
                                .find(Filters.and(DUE_AND_FREE, notRecent(), Expression.all(Claims.suspicion(false))))
                                .sort(Sorts.ascending(Field.DUE_AT, Field.SEQ))
                                .hintString(EventIndex.DUE)
                                .limit(request.eventsMax())
                                .projection(new Document(BYTES, Expression.PAYLOAD_BYTES))
                                .into(new ArrayList<>()));
    }

    // When nothing is skipped, the time of creation does not matter: another program may have set it to anything.
    private Bson notRecent() {
        return request.skipRecent().isZero()
                ? Filters.empty()
                : Expression.all(Expression.of(
                        "$or",
                        Expression.of("$gt", "$" + Field.LAST_ATTEMPT_AT, null),
                        "$" + Field.DELAYED,
                        Expression.of("$lte", "$" + Field.CREATED_AT, Expression.before(request.skipRecent()))));
    }

    // Suspects are among the longest due, and without this bound none would be found at a price.
    private List<Document> suspectsOfWindow() {
        List<Bson> pipeline = List.of(
                new Document("$match", DUE_AND_FREE),
                LONGEST_DUE_FIRST,
                new Document("$limit", WINDOW),
                new Document("$match", Expression.all(Claims.suspicion(true))),
                new Document("$limit", request.eventsMax()),
                new Document("$project", new Document(BYTES, Expression.PAYLOAD_BYTES)));
        return source.look(
                "choose suspects",
                collections -> collections
                        .events()
                        .aggregate(pipeline)
                        .hintString(EventIndex.DUE)
                        .into(new ArrayList<>()));
    }

    private List<Object> fitting(List<Document> chosen) {
        List<Object> ids = new ArrayList<>();
        long bytes = 0;
        for (Document event : chosen) {
            bytes += event.getInteger(BYTES);
            if (bytes > request.bytesMax() && !(first && ids.isEmpty())) {
                break;
            }
            ids.add(event.get(Field.ID));
        }
        return ids;
    }

    private List<Document> heads() {
        Map<Object, Document> heads = new LinkedHashMap<>();
        add(heads, headsOf(lanesOfWindow()));
        if (heads.size() < request.eventsMax() && windowIsFull()) {
            add(heads, headsOf(lanesOfIndex(KeyHash.of(request.terms().token()))));
        }
        return heads.values().stream().limit(request.eventsMax()).toList();
    }

    private static void add(Map<Object, Document> heads, List<Document> more) {
        more.forEach(head -> heads.putIfAbsent(head.get(Field.ID), head));
    }

    private boolean windowIsFull() {
        return source.look(
                        "look for due events",
                        collections -> collections
                                .events()
                                .countDocuments(
                                        DUE_AND_FREE,
                                        new CountOptions()
                                                .hintString(EventIndex.DUE)
                                                .limit(WINDOW)))
                == WINDOW;
    }

    private static List<Bson> lanesOfWindow() {
        return List.of(
                new Document("$match", DUE_AND_FREE),
                LONGEST_DUE_FIRST,
                new Document("$limit", WINDOW),
                new Document("$group", new Document(Field.ID, "$" + Field.KEY_HASH)));
    }

    // Bucket by bucket, in which the server goes from lane to lane and reads one entry of each, and no further than
    // needed.
    private List<Bson> lanesOfIndex(int start) {
        int first = Buckets.of(start);
        List<Bson> pipeline = new ArrayList<>(lanesOf(first, Filters.gt(Field.KEY_HASH, start)));
        for (int bucket = first + 1; bucket < first + Buckets.COUNT; bucket++) {
            pipeline.add(alsoFrom(lanesOf(bucket % Buckets.COUNT, Filters.gte(Field.KEY_HASH, 0))));
        }
        pipeline.add(alsoFrom(lanesOf(first, Filters.lte(Field.KEY_HASH, start))));
        pipeline.add(new Document("$limit", request.eventsMax()));
        return pipeline;
    }

    private List<Bson> lanesOf(int bucket, Bson range) {
        return List.of(
                new Document("$match", Filters.and(Expression.PENDING, Filters.eq(Field.BUCKET, bucket), range)),
                new Document("$group", new Document(Field.ID, "$" + Field.KEY_HASH)),
                new Document("$limit", request.eventsMax()));
    }

    private Document alsoFrom(List<Bson> pipeline) {
        return new Document("$unionWith", new Document("coll", source.names().event()).append("pipeline", pipeline));
    }

    private List<Document> headsOf(List<Bson> lanes) {
        Document fields = new Document(Field.DUE_AT, 1)
                .append(Field.SEQ, 1)
                .append(BYTES, Expression.PAYLOAD_BYTES)
                .append(
                        "canBeTaken",
                        Expression.of("$and", Expression.DUE, Expression.FREE, Claims.suspicion(request.suspects())));
        List<Bson> head = List.of(
                new Document(
                        "$match",
                        Filters.and(
                                Expression.PENDING,
                                Filters.expr(Expression.of("$eq", "$" + Field.BUCKET, "$$" + Field.BUCKET)),
                                isOfLane(Field.KEY_HASH),
                                Expression.IN_ORDER)),
                new Document("$sort", new Document(Field.SEQ, 1)),
                new Document("$limit", 1),
                new Document("$project", fields));
        List<Bson> held = List.of(
                new Document(
                        "$match",
                        Filters.and(
                                Filters.exists(Field.HELD_LANE),
                                isOfLane(Field.HELD_LANE),
                                Filters.expr(new Document("$not", Expression.FREE)))),
                new Document("$limit", 1),
                new Document("$project", new Document(Field.ID, 1)));
        List<Bson> pipeline = new ArrayList<>(lanes);
        pipeline.addAll(List.of(
                new Document("$match", new Document(Field.ID, new Document("$type", "number"))),
                lookup(head, HEAD),
                new Document("$unwind", "$" + HEAD),
                new Document("$match", new Document(HEAD + ".canBeTaken", true)),
                lookup(held, HELD),
                new Document("$match", new Document(HELD, List.of())),
                new Document("$replaceWith", "$" + HEAD),
                LONGEST_DUE_FIRST,
                new Document("$limit", request.eventsMax())));
        return source.look(
                "choose events",
                collections -> collections.events().aggregate(pipeline).into(new ArrayList<>()));
    }

    private static Bson isOfLane(String field) {
        return Filters.expr(Expression.of("$eq", "$" + field, "$$" + LANE));
    }

    private Document lookup(List<Bson> pipeline, String as) {
        return new Document(
                "$lookup",
                new Document("from", source.names().event())
                        .append(
                                "let",
                                new Document(LANE, "$" + Field.ID)
                                        .append(Field.BUCKET, Expression.of("$mod", "$" + Field.ID, Buckets.COUNT)))
                        .append("pipeline", pipeline)
                        .append("as", as));
    }
}
