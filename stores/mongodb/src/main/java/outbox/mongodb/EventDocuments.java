package outbox.mongodb;

import com.mongodb.client.model.Projections;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Objects;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.PendingEvent;
import outbox.util.JsonCodec;
import outbox.util.KeyHash;

/** Events as documents. The server adds {@code seq} and the times, by its own clocks, as it inserts one. */
final class EventDocuments {

    /** All that an event is read for. */
    static final Bson FIELDS = Projections.exclude(Field.FAILURES, Field.ACKNOWLEDGED);

    private EventDocuments() {}

    /** What is written about a new event by its publisher. */
    static Document of(EventEnvelope event, @Nullable ClaimTerms claim) {
        String key = event.orderingKey();
        int keyHash = KeyHash.of(key == null ? event.eventId() : key);
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

    /** The fields that the server fills with its time, and with a tick of its logical clock. */
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

    // Never due before the time that was asked for.
    private static Instant roundedUp(Instant time) {
        Instant millis = time.truncatedTo(ChronoUnit.MILLIS);
        return millis.equals(time) ? millis : millis.plusMillis(1);
    }

    static OutboxEvent event(Document document) {
        Object payload = document.get(Field.PAYLOAD);
        return new OutboxEvent(
                document.getString(Field.ID),
                document.getString(Field.TYPE),
                document.getString(Field.AGGREGATE_TYPE),
                document.getString(Field.AGGREGATE_ID),
                document.getString(Field.TENANT_ID),
                document.getString(Field.MESSAGE_GROUP),
                payload instanceof String text ? text : null,
                payload instanceof Binary binary ? binary.getData() : null,
                document.getString(Field.HEADERS),
                occurredAt(document),
                document.getInteger(Field.MAX_ATTEMPTS),
                state(document));
    }

    /** An event that a relay reads, and how long it still waits at the given time of the server's. */
    static PendingEvent pending(Document document, Instant now) {
        OutboxEvent event = event(document);
        Duration until = Duration.between(now, event.availableAt());
        boolean waits = event.status() == EventStatus.RETRY && until.isPositive();
        return new PendingEvent(
                Seq.of(Objects.requireNonNull(document.get(Field.SEQ, BsonTimestamp.class), Field.SEQ)),
                document.getInteger(Field.KEY_HASH),
                event,
                waits ? until : Duration.ZERO);
    }

    private static Instant occurredAt(Document document) {
        Integer micros = document.getInteger(Field.OCCURRED_MICROS);
        Instant millis = required(document, Field.OCCURRED_AT);
        return micros == null ? millis : millis.plus(micros, ChronoUnit.MICROS);
    }

    private static EventState state(Document document) {
        int retries = document.getInteger(Field.RETRY_COUNT, 0);
        return new EventState(
                status(document.getString(Field.STATUS), retries),
                retries,
                required(document, Field.CREATED_AT),
                required(document, Field.DUE_AT),
                instant(document, Field.LAST_ATTEMPT_AT),
                instant(document, Field.PROCESSED_AT),
                document.getString(Field.ERROR_MESSAGE));
    }

    private static EventStatus status(String word, int retries) {
        return switch (word) {
            case Field.PENDING -> retries == 0 ? EventStatus.NEW : EventStatus.RETRY;
            case Field.COMPLETED -> EventStatus.DONE;
            case Field.FAILED -> EventStatus.DEAD;
            default ->
                throw new IllegalArgumentException("status must be PENDING, COMPLETED or FAILED, was \"" + word + "\"");
        };
    }

    static @Nullable Instant instant(Document document, String field) {
        Date date = document.getDate(field);
        return date == null ? null : date.toInstant();
    }

    static Instant required(Document document, String field) {
        return Objects.requireNonNull(instant(document, field), field);
    }
}
