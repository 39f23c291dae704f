package outbox.mongodb.internal.event;

import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Expressions that the server evaluates, by its own clock. */
public final class Expression {

    public static final String NOW = "$$NOW";

    /** As a value: the field is to go. */
    public static final String REMOVE = "$$REMOVE";

    /** Pending, in the words of the partial indexes. */
    public static final Bson PENDING = Filters.eq(Field.STATUS, Field.PENDING);

    public static final Document DUE = of("$lte", "$" + Field.DUE_AT, NOW);

    /** An event that nobody claimed has no such fields; their sum is null then, which is less than any time. */
    static final Document FREE = of("$lte", of("$add", "$" + Field.CLAIMED_AT, "$" + Field.CLAIM_MILLIS), NOW);

    /** A delayed event joins the order of its key when it is due; any other is in order, also while it waits for its retry. */
    public static final Bson IN_ORDER = Filters.or(Filters.exists(Field.DELAYED, false), Filters.expr(DUE));

    /** Of a text, too, the server tells the bytes; of what is neither, which cannot be read, none. */
    static final Document PAYLOAD_BYTES = of(
            "$cond",
            of("$in", new Document("$type", "$" + Field.PAYLOAD), List.of("string", "binData")),
            new Document("$binarySize", "$" + Field.PAYLOAD),
            0);

    private Expression() {}

    public static Document of(String operator, @Nullable Object... arguments) {
        return new Document(operator, Arrays.asList(arguments));
    }

    /** A value as it is, though it may begin with a dollar. */
    public static Document literal(Object value) {
        return new Document("$literal", value);
    }

    public static Document after(Duration delay) {
        return of("$add", NOW, millis(delay));
    }

    public static Document before(Duration age) {
        return of("$subtract", NOW, millis(age));
    }

    /** Rounded up: a lease of less than a millisecond is still one. */
    static long millis(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }

    static Bson all(Document... conditions) {
        return Filters.expr(new Document("$and", List.of(conditions)));
    }
}
