package outbox.mongodb.internal.operations;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.SettleUpdates;
import outbox.mongodb.internal.event.StoredEvent;
import outbox.spi.operations.AuditText;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.OperatorAction;

/** Changes the payload or headers of a dead event within one transaction, and keeps the original ones. */
record EventEdits(ClientSession session, OutboxCollections collections) {

    static final String AT = "at";

    boolean edit(String eventId, EventEdit edit, OperatorAction act) {
        Bson dead = Filters.and(Filters.eq(Field.ID, eventId), EventConditions.DEAD);
        StoredEvent found = collections
                .storedEvents()
                .find(session, dead)
                .projection(EventDocuments.FIELDS)
                .first();
        if (found == null) {
            return false;
        }
        if (!isUnchanged(found.event(), edit)) {
            ObjectId entry = new AuditDocuments(session, collections)
                    .add(act.who(), AuditText.EDIT, eventId, AuditText.edited(found.event(), edit, act));
            collections.events().updateOne(session, dead, change(edit, entry), SettleUpdates.BY_ID);
        }
        return true;
    }

    /** Whether the event already carries this, because the edit is a repetition. */
    private static boolean isUnchanged(OutboxEvent event, EventEdit edit) {
        return (edit.payloadJson() == null || edit.payloadJson().equals(event.payloadJson()))
                && (edit.headers() == null || Objects.equals(edit.headersJson(), event.headersJson()));
    }

    private static List<Bson> change(EventEdit edit, ObjectId entry) {
        Document before = new Document(Field.PAYLOAD, "$" + Field.PAYLOAD)
                .append(Field.HEADERS, "$" + Field.HEADERS)
                .append(AT, Expression.NOW);
        List<Bson> steps = new ArrayList<>();
        steps.add(new Document(
                "$set",
                new Document(Field.ORIGINAL, Expression.of("$ifNull", "$" + Field.ORIGINAL, before))
                        .append(Field.ACTS, EventChanges.withEntry(entry))));
        if (edit.payloadJson() != null) {
            steps.add(new Document("$set", new Document(Field.PAYLOAD, Expression.literal(edit.payloadJson()))));
        }
        if (edit.headers() != null) {
            @Nullable String headers = edit.headersJson();
            steps.add(
                    headers == null
                            ? new Document("$unset", Field.HEADERS)
                            : new Document("$set", new Document(Field.HEADERS, Expression.literal(headers))));
        }
        return steps;
    }
}
