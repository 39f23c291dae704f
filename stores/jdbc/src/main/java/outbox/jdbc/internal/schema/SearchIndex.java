package outbox.jdbc.internal.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import outbox.internal.IdRange;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.SqlText;

/**
 * An index that an operator chose to have, and the value that a search has for its first column.
 *
 * @param column its first; the second is the id
 * @param ending of its name
 * @param parameter adds a part of a statement whose parameter is that value
 */
public record SearchIndex(String column, String ending, BiConsumer<SqlText, String> parameter) {

    /** The events of a key, and of others with its hash. */
    public static SearchIndex ofKey(int keyHash) {
        return new SearchIndex("key_hash", "search_key", (sql, part) -> sql.add(part, keyHash));
    }

    public static SearchIndex ofType(String eventType) {
        return new SearchIndex("event_type", "search_type", (sql, part) -> sql.add(part, eventType));
    }

    /** Adds a part whose parameter is the value. */
    public void add(SqlText sql, String part) {
        parameter.accept(sql, part);
    }

    /**
     * Where a walk through the index is bounded on one side.
     *
     * @param comparison of an id with the bound
     */
    public record Bound(String comparison, String eventId) {}

    /** The condition on e of the value, within the ids and behind one of them. */
    public void addRange(SqlText sql, Dialect dialect, IdRange range, @Nullable Bound behind) {
        List<Bound> lower = new ArrayList<>();
        List<Bound> upper = new ArrayList<>();
        if (range.from() != null) {
            lower.add(new Bound(">=", range.from()));
        }
        if (range.before() != null) {
            upper.add(new Bound("<", range.before()));
        }
        if (behind != null) {
            (behind.comparison().equals(">") ? lower : upper).add(behind);
        }
        lower.sort(Comparator.comparing(Bound::eventId).reversed());
        upper.sort(Comparator.comparing(Bound::eventId));
        dialect.searches().addRange(sql, this, lower, upper);
    }
}
