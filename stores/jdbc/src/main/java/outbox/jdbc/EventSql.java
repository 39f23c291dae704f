package outbox.jdbc;

import outbox.Ordering;

/** The statements on the event table, put together once per dialect and table. */
final class EventSql {

    static final String COLUMNS =
            "event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, ordering_key, payload,"
                    + " payload_bytes, headers, status, attempts, max_attempts, occurred_at, available_at, created_at,"
                    + " last_attempt_at, done_at, last_error";

    static final int INSERT_PARAMETERS = 15;

    final String table;
    /** The event table as claims read it, under the alias e. */
    final String dueTable;

    private final String insertOne;
    private final String insertInto;
    private final String insertRow;
    final String pollPending;
    final String dueUnordered;
    final String dueByKey;

    EventSql(Dialect dialect, TableNames tables) {
        this.table = tables.event();
        this.dueTable = dialect.indexed(tables, "e", "due");
        String now = dialect.now();
        this.insertInto = "INSERT INTO " + table
                + " (event_id, event_type, aggregate_type, aggregate_id, tenant_id, ordering_key, key_hash, payload,"
                + " payload_bytes, headers, status, attempts, max_attempts, occurred_at, available_at, created_at,"
                + " claim_token, claimed_until) VALUES ";
        this.insertRow = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, COALESCE(?, " + now + "), " + now + ", ?, "
                + dialect.nowPlus("?") + ")";
        this.insertOne = insertInto + insertRow;
        this.pollPending = "SELECT " + COLUMNS + " FROM " + table + " e WHERE " + dialect.pending("e")
                + " AND available_at <= ? AND created_at <= ? ORDER BY created_at, seq LIMIT ?";
        String due = dialect.pending("e") + " AND e.available_at <= " + now
                + " AND (e.claimed_until IS NULL OR e.claimed_until <= " + now + ")";
        this.dueUnordered =
                due + " AND (e.last_attempt_at IS NOT NULL OR e.available_at <> e.created_at OR e.created_at <= "
                        + dialect.nowPlus("?") + ")";
        this.dueByKey = due + " AND (e.ordering_key IS NULL OR NOT EXISTS (" + olderOfKey(dialect, tables) + ")"
                + " AND NOT EXISTS (" + heldOfKey(dialect, tables) + "))";
    }

    /** One statement for several rows, each with {@link #INSERT_PARAMETERS}. */
    String insert(int rows) {
        return rows == 1 ? insertOne : insertInto + InList.repeated(insertRow, rows, ", ");
    }

    /** The condition on the alias e; unordered has one parameter, the microseconds (negative) of skip-recent. */
    String due(Ordering ordering) {
        return switch (ordering) {
            case NONE -> dueUnordered;
            case KEY -> dueByKey;
        };
    }

    // A delayed event that is not due yet has not joined the order; one that waits for its retry has.
    private String olderOfKey(Dialect dialect, TableNames tables) {
        return "SELECT 1 FROM " + dialect.indexed(tables, "p", "lane") + " WHERE " + dialect.pending("p")
                + " AND p.key_hash = e.key_hash AND p.seq < e.seq AND p.ordering_key = e.ordering_key"
                + " AND (p.status = 2 OR p.available_at <= " + dialect.now() + ")";
    }

    // An event may be held although an older one is pending: the older one was committed late, or has just come due.
    private String heldOfKey(Dialect dialect, TableNames tables) {
        return "SELECT 1 FROM " + dialect.indexed(tables, "h", "held")
                + " WHERE h.held_key_hash = e.key_hash AND h.ordering_key = e.ordering_key"
                + " AND h.event_id <> e.event_id AND h.claimed_until > " + dialect.now();
    }
}
