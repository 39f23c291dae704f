package outbox.internal;

import org.jspecify.annotations.Nullable;
import outbox.InvalidEventException;

/** The text fields of an event, each with the length that its column has. */
public enum TextField {
    EVENT_ID("eventId", 36),
    EVENT_TYPE("eventType", 128),
    AGGREGATE_TYPE("aggregateType", 64),
    AGGREGATE_ID("aggregateId", 128),
    TENANT_ID("tenantId", 64),
    ORDERING_KEY("orderingKey", 255);

    private final String field;
    private final int charsMax;

    TextField(String field, int charsMax) {
        this.field = field;
        this.charsMax = charsMax;
    }

    /** The value, if it is there and fits its column. */
    public String require(@Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new InvalidEventException(field, "is required, was " + (value == null ? "null" : "blank"));
        }
        check(value);
        return value;
    }

    /** The value or null, if it fits its column. */
    @Nullable
    public String optional(@Nullable String value) {
        if (value != null) {
            check(value);
        }
        return value;
    }

    private void check(String value) {
        // Databases count characters, so a code point outside the basic plane counts once.
        int chars = value.codePointCount(0, value.length());
        if (chars > charsMax) {
            throw new InvalidEventException(
                    field,
                    "has " + chars + " characters, allowed are " + charsMax + ": "
                            + value.substring(0, value.offsetByCodePoints(0, 32)) + "…");
        }
        if (value.indexOf('\0') >= 0) {
            throw new InvalidEventException(field, "contains U+0000, which no database stores in a text column");
        }
        int broken = Utf8.firstUnpairedSurrogate(value);
        if (broken >= 0) {
            throw new InvalidEventException(field, "has an unpaired surrogate at index " + broken);
        }
    }
}
