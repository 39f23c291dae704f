package outbox.mongodb.internal.event;

import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Expressions that the server evaluates by its own clock. */
public final class Expression {

    public static final String NOW = "$$NOW";

    /** As a value: removes the field. */
    public static final String REMOVE = "$$REMOVE";

    /** Pending, in the form that the partial indexes use. */
    public static final Bson PENDING = Filters.eq(Field.STATUS, Field.PENDING);

    public static final Document DUE = of("$lte", "$" + Field.DUE_AT, NOW);

    /** An unclaimed event has no such fields, and their sum is then null, which is less than any time. */
    static final Document FREE = of("$lte", of("$add", "$" + Field.CLAIMED_AT, "$" + Field.CLAIM_MILLIS), NOW);

    /**
     * A delayed event joins the order of its key when it is due. Any other is in order, even while it waits for a
     * retry.
     */
    public static final Bson IN_ORDER = Filters.or(Filters.exists(Field.DELAYED, false), Filters.expr(DUE));

    /** The size of a text or a binary in bytes; 0 for any other type, which is corrupt. */
    static final Document PAYLOAD_BYTES = of(
            "$cond",
            of("$in", new Document("$type", "$" + Field.PAYLOAD), List.of("string", "binData")),
            new Document("$binarySize", "$" + Field.PAYLOAD),
            0);

    private Expression() {}

    public static Document of(String operator, @Nullable Object... arguments) {
        return new Document(operator, Arrays.asList(arguments));
    }

    /** A literal value, which may begin with a dollar. */
    public static Document literal(Object value) {
        return new Document("$literal", value);
    }

    public static Document after(Duration delay) {
        return of("$add", NOW, millis(delay));
    }

    public static Document before(Duration age) {
        return of("$subtract", NOW, millis(age));
    }

    /** Rounded up, so that a lease shorter than a millisecond does not become zero. */
    static long millis(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }

    static Bson all(Document... conditions) {
        return Filters.expr(new Document("$and", List.of(conditions)));
    }
}
