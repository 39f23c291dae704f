package outbox.mongodb.internal.operations;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.bson.types.Binary;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.SettleWrites;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.EventHistory.Acknowledged;
import outbox.spi.operations.EventHistory.FailedAttempt;
import outbox.spi.operations.EventHistory.Original;

/** Reads an event's history, most of which is in the event's own document. */
public record HistoryRead(MongoSource source) {

    private static final EventHistory NOTHING = new EventHistory(List.of(), List.of(), List.of(), null);

    EventHistory of(String eventId) {
        return source.use("read the history of event " + eventId, collections -> {
            Document event = collections
                    .events()
                    .find(Filters.eq(Field.ID, eventId))
                    .projection(Projections.include(EventDocuments.RECORDS))
                    .first();
            return event == null
                    ? NOTHING
                    : new EventHistory(
                            attempts(event),
                            acknowledged(event),
                            AuditDocuments.byIds(collections, list(event, Field.ACTS, ObjectId.class)),
                            original(event.get(Field.ORIGINAL, Document.class)));
        });
    }

    private static List<FailedAttempt> attempts(Document event) {
        return list(event, Field.FAILURES, Document.class).stream()
                .map(failure -> new FailedAttempt(
                        failure.getInteger("attempt"),
                        failure.getString("node"),
                        failure.getString("destination"),
                        failure.getString("error"),
                        EventDocuments.required(failure, "at")))
                .toList();
    }

    /** The destinations that have already accepted an event. */
    public static List<Acknowledged> acknowledged(Document event) {
        return list(event, Field.ACKNOWLEDGED, Document.class).stream()
                .map(each -> new Acknowledged(
                        each.getString(SettleWrites.TARGET), EventDocuments.required(each, SettleWrites.AT)))
                .toList();
    }

    // Another program may have written values of any type.
    private static <T> List<T> list(Document event, String field, Class<T> kind) {
        return event.get(field) instanceof List<?> values
                ? values.stream().filter(kind::isInstance).map(kind::cast).toList()
                : List.of();
    }

    private static @Nullable Original original(@Nullable Document original) {
        if (original == null) {
            return null;
        }
        Object payload = original.get(Field.PAYLOAD);
        return new Original(
                payload instanceof String text ? text : null,
                payload instanceof Binary binary ? binary.getData() : null,
                original.get(Field.HEADERS) instanceof String headers ? headers : null,
                Objects.requireNonNull(EventDocuments.instant(original, EventEdits.AT)));
    }
}
