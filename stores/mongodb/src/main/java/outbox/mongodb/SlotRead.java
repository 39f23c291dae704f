package outbox.mongodb;

import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.model.FetchRequest;
import outbox.model.Fetched;
import outbox.model.PendingEvent;
import outbox.model.RelayTerms;

/** Claim: one look at a slot. */
record SlotRead(MongoSource source, FetchRequest request) {

    static final String NOW = "now";

    Fetched execute() {
        return source.look("fetch events of slot " + request.slot(), collections -> {
            // One more than asked for tells whether these are all.
            int limit = request.eventsMax() + 1;
            try (MongoCursor<Document> cursor = collections
                    .events()
                    .aggregate(List.of(
                            new Document(
                                    "$match",
                                    inSlot(
                                            request.terms(),
                                            request.slot(),
                                            request.afterSeq(),
                                            request.lanesLeftOut())),
                            new Document("$sort", new Document(Field.SEQ, 1)),
                            new Document("$limit", limit),
                            new Document("$unset", List.of(Field.FAILURES, Field.ACKNOWLEDGED)),
                            new Document("$set", new Document(NOW, Expression.NOW))))
                    .hintString(EventIndex.SLOT)
                    // Larger than the limit: so the server sees the end, and need not be told that we are done.
                    .batchSize(limit + 1)
                    .cursor()) {
                return cut(cursor);
            }
        });
    }

    /** The events of a slot that are in order, behind a position and without some lanes. */
    static Bson inSlot(RelayTerms terms, int slot, long afterSeq, Set<Integer> lanesLeftOut) {
        List<Bson> conditions = new ArrayList<>(
                List.of(Expression.PENDING, Buckets.ofSlot(terms, slot), Filters.gt(Field.SEQ, Seq.tick(afterSeq))));
        if (!lanesLeftOut.isEmpty()) {
            conditions.add(Filters.nin(Field.KEY_HASH, lanesLeftOut));
        }
        conditions.add(Expression.IN_ORDER);
        return Filters.and(conditions);
    }

    private Fetched cut(MongoCursor<Document> cursor) {
        List<PendingEvent> events = new ArrayList<>();
        long bytes = 0;
        boolean complete = true;
        while (complete && cursor.hasNext()) {
            Document document = cursor.next();
            PendingEvent event = EventDocuments.pending(document, EventDocuments.required(document, NOW));
            bytes += event.event().payloadSize();
            if (events.size() == request.eventsMax() || (bytes > request.bytesMax() && !events.isEmpty())) {
                complete = false;
            } else {
                events.add(event);
            }
        }
        return new Fetched(events, complete, Fetched.NO_HORIZON);
    }
}
