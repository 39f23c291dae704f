package outbox.mongodb.internal.event;

import com.mongodb.client.model.Projections;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.util.JsonCodec;

/**
 * Creates the documents of new events; {@link EventCodec} decodes them. The server adds {@code seq} and the times by
 * its own clocks when it inserts a document.
 */
public final class EventDocuments {

    /** The fields that record what happened to an event, for operators. */
    public static final List<String> RECORDS = List.of(Field.FAILURES, Field.ACKNOWLEDGED, Field.ACTS, Field.ORIGINAL);

    /** All other fields of an event. */
    public static final Bson FIELDS = Projections.exclude(RECORDS);

    private EventDocuments() {}

    /** The fields that the publisher writes. */
    static Document of(EventEnvelope event, @Nullable ClaimTerms claim) {
        String key = event.orderingKey();
        int keyHash = event.laneHash();
        Document document = new Document()
                .append(Field.TYPE, event.eventType())
                .append(Field.KEY_HASH, keyHash)
                .append(Field.BUCKET, Buckets.of(keyHash))
                .append(Field.STATUS, Field.PENDING)
                .append(Field.RETRY_COUNT, 0);
        put(document, Field.AGGREGATE_TYPE, event.aggregateType());
        put(document, Field.AGGREGATE_ID, event.aggregateId());
        put(document, Field.TENANT_ID, event.tenantId());
        put(document, Field.MESSAGE_GROUP, key);
        byte[] bytes = event.payloadBytes();
        put(document, Field.PAYLOAD, bytes == null ? event.payloadJson() : new Binary(bytes));
        if (!event.headers().isEmpty()) {
            document.append(Field.HEADERS, JsonCodec.encode(event.headers()));
        }
        event.maxAttempts().ifPresent(attempts -> document.append(Field.MAX_ATTEMPTS, attempts));
        putTime(document, event.occurredAt());
        Instant availableAt = event.availableAt();
        if (availableAt != null) {
            document.append(Field.DUE_AT, Date.from(roundedUp(availableAt))).append(Field.DELAYED, true);
        } else if (claim != null) {
            document.append(Field.CLAIM_TOKEN, claim.token())
                    .append(Field.CLAIM_MILLIS, Expression.millis(claim.lease()));
        }
        return document;
    }

    /** The fields that the server fills with its time or with a tick of its logical clock. */
    static Document clockFields(EventEnvelope event, @Nullable ClaimTerms claim) {
        Document fields = new Document(Field.CREATED_AT, true).append(Field.SEQ, new Document("$type", "timestamp"));
        if (event.availableAt() == null) {
            fields.append(Field.DUE_AT, true);
            if (claim != null) {
                fields.append(Field.CLAIMED_AT, true);
            }
        }
        return fields;
    }

    private static void put(Document document, String field, @Nullable Object value) {
        if (value != null) {
            document.append(field, value);
        }
    }

    private static void putTime(Document document, Instant time) {
        Instant millis = time.truncatedTo(ChronoUnit.MILLIS);
        document.append(Field.OCCURRED_AT, Date.from(millis));
        int micros = (int) ChronoUnit.MICROS.between(millis, time);
        if (micros > 0) {
            document.append(Field.OCCURRED_MICROS, micros);
        }
    }

    // Never due before the requested time.
    private static Instant roundedUp(Instant time) {
        Instant millis = time.truncatedTo(ChronoUnit.MILLIS);
        return millis.equals(time) ? millis : millis.plusMillis(1);
    }

    public static @Nullable Instant instant(Document document, String field) {
        Date date = document.getDate(field);
        return date == null ? null : date.toInstant();
    }

    public static Instant required(Document document, String field) {
        return Objects.requireNonNull(instant(document, field), field);
    }
}
