package outbox.jdbc.internal.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.internal.IdRange;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.SqlText;

/** An index that an operator chose to have, and what is looked up in it. */
public sealed interface SearchIndex {

    /** The events of a key, and of others with its hash. */
    record OfKey(int keyHash) implements SearchIndex {
        @Override
        public String column() {
            return "key_hash";
        }

        @Override
        public String ending() {
            return "search_key";
        }

        @Override
        public void add(SqlText sql, String part) {
            sql.add(part, keyHash);
        }
    }

    /** The events of a type. */
    record OfType(String eventType) implements SearchIndex {
        @Override
        public String column() {
            return "event_type";
        }

        @Override
        public String ending() {
            return "search_type";
        }

        @Override
        public void add(SqlText sql, String part) {
            sql.add(part, eventType);
        }
    }

    /** Its first column; the second is the id. */
    String column();

    /** The end of its name. */
    String ending();

    /** Adds a part whose parameter is what is looked up. */
    void add(SqlText sql, String part);

    /**
     * Where a walk through the index is bounded on one side.
     *
     * @param comparison of an id with the bound
     */
    record Bound(String comparison, String eventId) {}

    /**
     * The condition on e of what is looked up, within the ids and behind one of them.
     *
     * <p>On PostgreSQL it is said without an equation: given one, the planner might walk the primary key instead, for as
     * long as no row of this type comes. And of several bounds on one side a walk begins at any and only filters by the
     * others, so one is said, the nearest, and the others in words that no index knows: otherwise a look at an old hour
     * may go through everything that is younger.
     */
    default void addRange(SqlText sql, Dialect dialect, IdRange range, @Nullable Bound behind) {
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
        if (isPostgres(dialect)) {
            sql.add("(e.status + 0) >= 0");
            addSide(sql, ">=", lower);
            addSide(sql, "<=", upper);
        } else {
            add(sql, "e." + column() + " = ?");
            Stream.concat(lower.stream(), upper.stream())
                    .forEach(bound -> sql.add(" AND e.event_id " + bound.comparison() + " ?", bound.eventId()));
        }
    }

    private void addSide(SqlText sql, String comparison, List<Bound> bounds) {
        if (bounds.isEmpty()) {
            add(sql, " AND e." + column() + " " + comparison + " ?");
            return;
        }
        add(sql, " AND (e." + column() + ", e.event_id) " + bounds.get(0).comparison() + " (?");
        sql.add(", ?)", bounds.get(0).eventId());
        for (Bound further : bounds.subList(1, bounds.size())) {
            sql.add(" AND e.event_id || '' " + further.comparison() + " ?", further.eventId());
        }
    }

    private static boolean isPostgres(Dialect dialect) {
        return dialect.name().equals("postgresql");
    }
}
