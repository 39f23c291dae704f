package outbox.mongodb.internal.operations;

import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Seq;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;

/**
 * Every act of an operator, and every change of ownership. Entries have a place as events have one: a tick that the server
 * gives. A number that is counted would make all who write to the audit wait for each other.
 */
public record AuditDocuments(ClientSession session, OutboxCollections collections) {

    /** The index in which the entries stand in their order. */
    public static final String BY_PLACE = "place";

    private static final String ID = "_id";
    private static final String SEQ = "seq";
    private static final String AT = "at";
    private static final int SOME = 1_000;

    public static IndexModel index() {
        return new IndexModel(Indexes.ascending(SEQ), new IndexOptions().name(BY_PLACE));
    }

    public static boolean hasIndex(OutboxCollections collections) {
        return collections.audit().listIndexes().into(new ArrayList<>()).stream()
                .anyMatch(index -> BY_PLACE.equals(index.getString("name")));
    }

    /** Writes an entry, and returns the id of its document. */
    public ObjectId add(String who, String action, String subject, @Nullable String detail) {
        Document entry = new Document("who", who).append("action", action).append("subject", subject);
        if (detail != null) {
            entry.append("detail", detail);
        }
        ObjectId id = new ObjectId();
        collections
                .audit()
                .updateOne(
                        session,
                        Filters.eq(ID, id),
                        new Document("$setOnInsert", entry)
                                .append(
                                        "$currentDate",
                                        new Document(AT, true).append(SEQ, new Document("$type", "timestamp"))),
                        new UpdateOptions().upsert(true));
        return id;
    }

    /** Latest first. */
    static List<AuditEntry> page(OutboxCollections collections, AuditQuery query) {
        Bson wanted = query.before() == null ? Filters.gt(SEQ, Seq.FIRST) : Filters.lt(SEQ, Seq.tick(query.before()));
        return entries(collections
                .audit()
                .find(wanted)
                .sort(Sorts.descending(SEQ))
                .hintString(BY_PLACE)
                .limit(query.limit()));
    }

    /** Those of some ids, oldest first. */
    static List<AuditEntry> these(OutboxCollections collections, List<ObjectId> ids) {
        return ids.isEmpty()
                ? List.of()
                : entries(collections.audit().find(Filters.in(ID, ids)).sort(Sorts.ascending(SEQ)));
    }

    private static List<AuditEntry> entries(FindIterable<Document> found) {
        return found.map(entry -> new AuditEntry(
                        Seq.of(entry.get(SEQ, BsonTimestamp.class)),
                        EventDocuments.required(entry, AT),
                        entry.getString("who"),
                        entry.getString("action"),
                        entry.getString("subject"),
                        entry.getString("detail")))
                .into(new ArrayList<>());
    }

    /** Gives a place to the entries of version 1, which have none: by their times, before all that are written now. */
    public static void giveMissingPlaces(OutboxCollections collections) {
        List<UpdateOneModel<Document>> places = new ArrayList<>();
        do {
            places.clear();
            List<Document> some =
                    collections.audit().find(Filters.eq(SEQ, null)).limit(SOME).into(new ArrayList<>());
            for (Document entry : some) {
                ObjectId id = entry.getObjectId(ID);
                Bson itself = Filters.eq(ID, id);
                // Two of one second have different counters, as ids of one process do.
                long second = EventDocuments.required(entry, AT).getEpochSecond();
                BsonTimestamp place = new BsonTimestamp((int) second, counter(id));
                places.add(new UpdateOneModel<>(itself, new Document("$set", new Document(SEQ, place))));
            }
            if (!places.isEmpty()) {
                collections.audit().bulkWrite(places);
            }
        } while (places.size() == SOME);
    }

    /** The last three bytes of an id, which count. */
    private static int counter(ObjectId id) {
        byte[] bytes = id.toByteArray();
        return ((bytes[9] & 0xff) << 16) | ((bytes[10] & 0xff) << 8) | (bytes[11] & 0xff);
    }
}
