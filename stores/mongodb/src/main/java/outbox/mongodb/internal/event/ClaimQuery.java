package outbox.mongodb.internal.event;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.spi.ClaimRequest;

/**
 * Selects the events that a claimer should try, the longest due first, from one snapshot.
 *
 * @param first whether the first event may be of any size
 */
record ClaimQuery(MongoSource source, ClaimRequest request, boolean first) {

    private static final int WINDOW = 500;
    private static final String BYTES = "bytes";

    private static final Bson DUE_AND_FREE =
            Filters.and(Expression.PENDING, Expression.all(Expression.DUE, Expression.FREE));

    private static final Document LONGEST_DUE_FIRST =
            new Document("$sort", new Document(Field.DUE_AT, 1).append(Field.SEQ, 1));

    /**
     * Ids of any type: another program may have written one that is not text. Reading that event later sets it dead.
     */
    List<Object> ids() {
        return fitting(request.suspects() ? suspectsOfWindow() : longestDue());
    }

    private List<Document> longestDue() {
        return source.snapshot(
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

    // If nothing is skipped, the time of creation is ignored, because another program may have set it to anything.
    private Bson notRecent() {
        return request.skipRecent().isZero()
                ? Filters.empty()
                : Expression.all(Expression.of(
                        "$or",
                        Expression.of("$gt", "$" + Field.LAST_ATTEMPT_AT, null),
                        "$" + Field.DELAYED,
                        Expression.of("$lte", "$" + Field.CREATED_AT, Expression.before(request.skipRecent()))));
    }

    // Suspects are among the longest due. Without this bound, finding none would mean reading all pending events.
    private List<Document> suspectsOfWindow() {
        List<Bson> pipeline = List.of(
                new Document("$match", DUE_AND_FREE),
                LONGEST_DUE_FIRST,
                new Document("$limit", WINDOW),
                new Document("$match", Expression.all(Claims.suspicion(true))),
                new Document("$limit", request.eventsMax()),
                new Document("$project", new Document(BYTES, Expression.PAYLOAD_BYTES)));
        return source.snapshot(
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
}
