package outbox.mongodb.internal.operations;

import com.mongodb.client.model.Filters;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.internal.event.Field;
import outbox.spi.operations.EventFilter;

/** Converts an operator's filter to the server's conditions. */
final class EventConditions {

    static final Bson DONE = Filters.eq(Field.STATUS, Field.COMPLETED);
    static final Bson DEAD = Filters.eq(Field.STATUS, Field.FAILED);
    static final Bson SETTLED = Filters.in(Field.STATUS, Field.COMPLETED, Field.FAILED);
    /**
     * Attempted, whether or not the attempt counts. A replayed event is delayed until its next attempt, so it differs.
     */
    static final Bson RETRY = Filters.or(
            Filters.gt(Field.RETRY_COUNT, 0),
            Filters.and(Filters.exists(Field.LAST_ATTEMPT_AT), Filters.exists(Field.DELAYED, false)));

    private EventConditions() {}

    /** The conditions of the filter except for its state and time. */
    static List<Bson> of(EventFilter filter) {
        List<Bson> conditions = new ArrayList<>();
        addIfGiven(conditions, Field.TYPE, filter.eventType());
        addIfGiven(conditions, Field.MESSAGE_GROUP, filter.key());
        addIfGiven(conditions, Field.AGGREGATE_ID, filter.aggregateId());
        addIfGiven(conditions, Field.TENANT_ID, filter.tenantId());
        if (filter.error() != null) {
            conditions.add(error(filter.error()));
        }
        return conditions;
    }

    private static void addIfGiven(List<Bson> conditions, String field, @Nullable String value) {
        if (value != null) {
            conditions.add(Filters.eq(field, value));
        }
    }

    static List<Bson> created(@Nullable Instant from, @Nullable Instant before) {
        List<Bson> conditions = new ArrayList<>();
        if (from != null) {
            conditions.add(Filters.gte(Field.CREATED_AT, roundedUp(from)));
        }
        if (before != null) {
            conditions.add(Filters.lt(Field.CREATED_AT, roundedUp(before)));
        }
        return conditions;
    }

    // Stored times have milliseconds. A truncated bound would include events before it, or exclude events at it.
    private static Date roundedUp(Instant time) {
        return Date.from(time.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS));
    }

    // An event without an error has an empty one.
    private static Bson error(String pattern) {
        String regex = regex(pattern);
        Bson fits = new Document(Field.ERROR_MESSAGE, new Document("$regex", regex).append("$options", "s"));
        boolean matchesEmpty = pattern.chars().allMatch(c -> c == '*');
        return matchesEmpty ? Filters.or(fits, Filters.eq(Field.ERROR_MESSAGE, null)) : fits;
    }

    /**
     * The pattern as a regular expression that takes the first match for each part between two stars and never
     * backtracks, so it costs the same whatever the pattern is.
     */
    static String regex(String pattern) {
        String[] parts = pattern.split("\\*", -1);
        StringBuilder regex = new StringBuilder("\\A").append(literal(parts[0]));
        for (int i = 1; i < parts.length - 1; i++) {
            regex.append("(?>.*?").append(literal(parts[i])).append(')');
        }
        if (parts.length > 1) {
            regex.append(".*").append(literal(parts[parts.length - 1]));
        }
        return regex.append("\\z").toString();
    }

    private static StringBuilder literal(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                escaped.append("\\x00"); // The server accepts no expression with a literal zero.
            } else {
                escaped.append(Character.isLetterOrDigit(c) || c >= 128 ? "" : "\\")
                        .append(c);
            }
        }
        return escaped;
    }
}
