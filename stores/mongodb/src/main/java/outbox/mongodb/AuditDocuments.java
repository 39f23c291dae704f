package outbox.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** Every act of an operator, and every change of ownership. */
record AuditDocuments(ClientSession session, OutboxCollections collections) {

    void add(String who, String action, String subject, @Nullable String detail) {
        Document entry = new Document("who", who).append("action", action).append("subject", subject);
        if (detail != null) {
            entry.append("detail", detail);
        }
        collections
                .audit()
                .updateOne(
                        session,
                        Filters.eq("_id", new ObjectId()),
                        new Document("$setOnInsert", entry).append("$currentDate", new Document("at", true)),
                        new UpdateOptions().upsert(true));
    }
}
