package outbox.mongodb.internal.relay;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.spi.relay.Pause;

/** The documents of pauses. Every change raises the version in the meta document. */
public record PauseDocuments(ClientSession session, OutboxCollections collections) {

    private static final String ID = "_id";
    private static final String SINCE = "since";

    static List<Pause> all(OutboxCollections collections) {
        return collections
                .holds()
                .find()
                .sort(Sorts.ascending(SINCE, ID))
                .map(PauseDocuments::pause)
                .into(new ArrayList<>());
    }

    private static Pause pause(Document document) {
        Document id = Objects.requireNonNull(document.get(ID, Document.class));
        Pause.Kind kind = Pause.Kind.valueOf(id.getString("kind").toUpperCase(Locale.ROOT));
        return new Pause(
                new Pause.Subject(kind, id.getString("name")),
                document.getString("reason"),
                document.getString("by"),
                EventDocuments.required(document, SINCE));
    }

    /** False if it was paused already. */
    boolean add(Pause.Subject subject, String reason, String by) {
        boolean added = put(subject, reason, by);
        if (added) {
            new MetaDocument(session, collections).raisePausesVersion();
        }
        return added;
    }

    /** Adds a pause without raising the version. The caller does that in the same transaction, as its last write. */
    public boolean put(Pause.Subject subject, String reason, String by) {
        if (collections.holds().find(session, id(subject)).first() != null) {
            return false;
        }
        collections
                .holds()
                .updateOne(
                        session,
                        id(subject),
                        new Document("$setOnInsert", new Document("reason", reason).append("by", by))
                                .append("$currentDate", new Document(SINCE, true)),
                        new UpdateOptions().upsert(true));
        return true;
    }

    /** False if it was not paused. */
    boolean remove(Pause.Subject subject) {
        boolean removed = collections.holds().deleteOne(session, id(subject)).getDeletedCount() == 1;
        if (removed) {
            new MetaDocument(session, collections).raisePausesVersion();
        }
        return removed;
    }

    private static Bson id(Pause.Subject subject) {
        return Filters.eq(
                ID,
                new Document("kind", subject.kind().name().toLowerCase(Locale.ROOT)).append("name", subject.name()));
    }
}
