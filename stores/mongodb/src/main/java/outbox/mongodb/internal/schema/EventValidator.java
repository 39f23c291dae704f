package outbox.mongodb.internal.schema;

import java.util.List;
import java.util.Set;
import org.bson.Document;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.Buckets;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.Seq;

/**
 * The validator of the events' collection. It makes the insert fail if another program writes an event that relays
 * could not read or find.
 *
 * <p>It applies only to pending events, so that settling an event does not check its fields, and an invalid event can
 * always be set dead. Its level is {@code moderate}: a document from before the validator, or one that bypassed it, can
 * still be changed, so that a claim of many events does not fail because of one of them.
 */
public final class EventValidator {

    static final String LEVEL = "moderate";
    static final String ACTION = "error";

    private static final int ID_CHARACTERS_MAX = 36;

    /** The server replaces an empty seq by its tick before it validates the document. */
    static final Document IS_TICK =
            new Document(Field.SEQ, new Document("$gt", Seq.TOO_EARLY).append("$lt", Seq.TOO_LATE));

    public static final Document RULE =
            Expression.of("$or", settled(), Expression.of("$and", shape(Set.of()), IS_TICK, bucketFitsHash()));

    /** Whether a settled event can become pending, which changes its status, its due time and its attempts. */
    public static final Document CAN_BE_PENDING = Expression.of(
            "$and", shape(Set.of(Field.STATUS, Field.RETRY_COUNT, Field.DUE_AT)), IS_TICK, bucketFitsHash());

    private EventValidator() {}

    private static Document settled() {
        return new Document(Field.STATUS, new Document("$in", List.of(Field.COMPLETED, Field.FAILED)));
    }

    private static Document shape(Set<String> leftOut) {
        Document id = of("string").append("minLength", 1).append("maxLength", ID_CHARACTERS_MAX);
        Document fields = new Document(Field.ID, id)
                .append(Field.TYPE, of("string"))
                .append(Field.PAYLOAD, new Document("bsonType", List.of("string", "binData")))
                .append(Field.STATUS, new Document("enum", List.of(Field.PENDING)))
                .append(Field.RETRY_COUNT, of("int").append("minimum", 0))
                .append(Field.KEY_HASH, of("int").append("minimum", 0))
                .append(Field.BUCKET, of("int"))
                .append(Field.SEQ, of("timestamp"));
        List.of(Field.CREATED_AT, Field.DUE_AT, Field.OCCURRED_AT).forEach(name -> fields.append(name, of("date")));
        leftOut.forEach(fields::remove);
        List<String> required = List.copyOf(fields.keySet());
        List.of(Field.AGGREGATE_TYPE, Field.AGGREGATE_ID, Field.TENANT_ID, Field.MESSAGE_GROUP, Field.HEADERS)
                .forEach(name -> fields.append(name, of("string")));
        List.of(Field.MAX_ATTEMPTS, Field.OCCURRED_MICROS).forEach(name -> fields.append(name, of("int")));
        fields.append(Field.DELAYED, of("bool"))
                .append(Field.CLAIM_TOKEN, of("string"))
                .append(Field.CLAIMED_AT, of("date"))
                .append(Field.CLAIM_MILLIS, new Document("bsonType", "number"));
        return new Document("$jsonSchema", new Document("required", required).append("properties", fields));
    }

    private static Document of(String type) {
        return new Document("bsonType", type);
    }

    private static Document bucketFitsHash() {
        Document bucket = Expression.of("$mod", "$" + Field.KEY_HASH, Buckets.COUNT);
        return new Document(
                "$expr",
                Expression.of(
                        "$and",
                        new Document("$isNumber", "$" + Field.KEY_HASH),
                        Expression.of("$eq", "$" + Field.BUCKET, bucket)));
    }

    /** Whether the server enforces it. */
    public static boolean isOn(OutboxCollections collections) {
        Document described = collections
                .database()
                .listCollections()
                .filter(new Document("name", collections.names().event()))
                .first();
        Document options = described == null ? new Document() : described.get("options", new Document());
        return RULE.equals(options.get("validator"))
                && LEVEL.equals(options.getString("validationLevel"))
                && ACTION.equals(options.getString("validationAction"));
    }

    /** The command that sets the validator of a collection. */
    public static Document command(String collection) {
        return command(collection, LEVEL);
    }

    /** The command for the time in which existing documents are checked. Until that ends, {@link #isOn} is false. */
    public static Document firstCommand(String collection) {
        return command(collection, "strict");
    }

    private static Document command(String collection, String level) {
        return new Document("collMod", collection)
                .append("validator", RULE)
                .append("validationLevel", level)
                .append("validationAction", ACTION);
    }
}
