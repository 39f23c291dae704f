package outbox.jdbc;

import org.jspecify.annotations.Nullable;

/** An index that an operator chose to have, and what is looked up in it. */
sealed interface SearchIndex {

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
     * The condition on e of what is looked up, within the ids. On PostgreSQL it is said without an equation: given one,
     * the planner might walk the primary key instead, for as long as no row of this type comes.
     */
    default void addRange(SqlText sql, Dialect dialect, IdRange range) {
        if (isPostgres(dialect)) {
            sql.add("(e.status + 0) >= 0");
            add(sql, " AND e." + column() + " >= ?");
            add(sql, " AND e." + column() + " <= ?");
        } else {
            add(sql, "e." + column() + " = ?");
        }
        addBound(sql, dialect, ">=", range.from());
        addBound(sql, dialect, "<", range.before());
    }

    /** The condition that the id of e compares so with the bound; none without a bound. */
    default void addBound(SqlText sql, Dialect dialect, String comparison, @Nullable String eventId) {
        if (eventId == null) {
            return;
        }
        if (isPostgres(dialect)) {
            add(sql, " AND (e." + column() + ", e.event_id) " + comparison + " (?");
            sql.add(", ?)", eventId);
        } else {
            sql.add(" AND e.event_id " + comparison + " ?", eventId);
        }
    }

    private static boolean isPostgres(Dialect dialect) {
        return dialect.name().equals("postgresql");
    }
}
