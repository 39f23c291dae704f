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
import outbox.mongodb.internal.schema.EventIndex;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;

/**
 * The documents of operators' actions and of changes of ownership. Entries are ordered like events, by a tick that the
 * server assigns. With a counter, all transactions that write to the audit would wait for each other.
 */
public record AuditDocuments(ClientSession session, OutboxCollections collections) {

    /** The name of the index on the order of entries. */
    public static final String BY_SEQ = "place";

    private static final String ID = "_id";
    private static final String SEQ = "seq";
    private static final String AT = "at";
    private static final int BATCH = 1_000;

    public static IndexModel index() {
        return new IndexModel(Indexes.ascending(SEQ), new IndexOptions().name(BY_SEQ));
    }

    public static boolean hasIndex(OutboxCollections collections) {
        return EventIndex.names(collections.audit()).contains(BY_SEQ);
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
                .hintString(BY_SEQ)
                .limit(query.limit()));
    }

    /** The entries with these ids, oldest first. */
    static List<AuditEntry> byIds(OutboxCollections collections, List<ObjectId> ids) {
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

    /**
     * Adds a seq to the entries of version 1: one that follows from their times and is less than those of new entries.
     */
    public static void addMissingSeqs(OutboxCollections collections) {
        List<UpdateOneModel<Document>> updates = new ArrayList<>();
        do {
            updates.clear();
            List<Document> batch =
                    collections.audit().find(Filters.eq(SEQ, null)).limit(BATCH).into(new ArrayList<>());
            for (Document entry : batch) {
                ObjectId id = entry.getObjectId(ID);
                // Entries of the same second have different counters, because ids of one process do.
                long second = EventDocuments.required(entry, AT).getEpochSecond();
                BsonTimestamp seq = new BsonTimestamp((int) second, counter(id));
                updates.add(new UpdateOneModel<>(Filters.eq(ID, id), new Document("$set", new Document(SEQ, seq))));
            }
            if (!updates.isEmpty()) {
                collections.audit().bulkWrite(updates);
            }
        } while (updates.size() == BATCH);
    }

    /** The last three bytes of an id, which are a counter. */
    private static int counter(ObjectId id) {
        byte[] bytes = id.toByteArray();
        return ((bytes[9] & 0xff) << 16) | ((bytes[10] & 0xff) << 8) | (bytes[11] & 0xff);
    }
}
