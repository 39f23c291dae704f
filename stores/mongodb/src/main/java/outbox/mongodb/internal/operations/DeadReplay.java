package outbox.mongodb.internal.operations;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateOneModel;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.OutboxException;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.SettleUpdates;

/**
 * Makes dead events pending again. One that cannot be read is refused by the rule for pending events, and stays dead; it
 * does not keep the others from being replayed, whatever its id is.
 */
record DeadReplay(MongoSource source) {

    private static final int DOCUMENT_FAILED_VALIDATION = 121;

    private static final List<Bson> AGAIN = List.of(new Document(
            "$set",
            new Document(Field.STATUS, Field.PENDING)
                    .append(Field.RETRY_COUNT, 0)
                    .append(Field.REPLAYS, SettleUpdates.ONE_REPLAY_MORE)
                    .append(Field.DELAYED, true)
                    .append(Field.DUE_AT, Expression.NOW)));

    /** What came of some. */
    private record Outcome(int replayed, int refused) {}

    /**
     * Replays one event; false when it is not dead.
     *
     * @throws OutboxException when it cannot be read
     */
    boolean one(String eventId) {
        Outcome outcome = replay(List.of(new BsonString(eventId)));
        if (outcome.refused() > 0) {
            throw new OutboxException(
                    "event " + eventId + " cannot be replayed as it is: it does not fit the validator of "
                            + source.names().event() + ". Its errorMessage says why; mend it first.");
        }
        return outcome.replayed() == 1;
    }

    /** Replays the first of the dead events that can be read, at most so many; returns how many. */
    int first(Bson dead, Bson order, int max) {
        int replayed = 0;
        int refused = 0;
        while (replayed < max) {
            List<BsonValue> ids = ids(dead, order, refused, max - replayed);
            if (ids.isEmpty()) {
                break;
            }
            Outcome outcome = replay(ids);
            replayed += outcome.replayed();
            refused += outcome.refused();
            if (outcome.refused() == 0) {
                break; // These were all there are, or all that were wanted.
            }
        }
        return replayed;
    }

    private List<BsonValue> ids(Bson dead, Bson order, int passed, int limit) {
        return source.use(
                "choose dead events",
                collections -> collections
                        .events()
                        .withDocumentClass(BsonDocument.class)
                        .find(dead)
                        .sort(order)
                        .skip(passed)
                        .limit(limit)
                        .projection(Projections.include(Field.ID))
                        .map(event -> event.get(Field.ID))
                        .into(new ArrayList<>()));
    }

    private Outcome replay(List<BsonValue> ids) {
        List<UpdateOneModel<Document>> writes = ids.stream()
                .map(id -> Filters.and(Filters.eq(Field.ID, id), Filters.eq(Field.STATUS, Field.FAILED)))
                .map(dead -> new UpdateOneModel<Document>(dead, AGAIN, SettleUpdates.BY_ID))
                .toList();
        return source.use("replay dead events", collections -> {
            try {
                BulkWriteResult result = collections.events().bulkWrite(writes, new BulkWriteOptions().ordered(false));
                return new Outcome(result.getMatchedCount(), 0);
            } catch (MongoBulkWriteException e) {
                if (e.getWriteConcernError() != null
                        || e.getWriteErrors().stream()
                                .anyMatch(error -> error.getCode() != DOCUMENT_FAILED_VALIDATION)) {
                    throw e;
                }
                return new Outcome(
                        e.getWriteResult().getMatchedCount(), e.getWriteErrors().size());
            }
        });
    }
}
