package outbox.jdbc.internal.dialect;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.Ordering;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.event.ClaimedUpdate;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.sql.ConnectionLock;
import outbox.jdbc.internal.sql.Micros;
import outbox.jdbc.internal.sql.RowReader;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.ClaimTerms;
import outbox.spi.ClaimRequest;

/**
 * PostgreSQL: claims in one statement that selects, locks, marks and returns; batches as arrays.
 *
 * <p>Rows that are known by their ids are asked for by an array of them as well as joined to them: a planner that saw the
 * table empty would join by walking a whole index, and a session would keep that plan for the burst that comes next.
 */
public final class PostgresDialect implements Dialect {

    private static final String NOW = "statement_timestamp()";

    /**
     * Plans are made once: for arrays of few elements the planner would take one made for just these for cheaper than the
     * one that it has, and make it each time, which takes it longer than the statement itself.
     */
    private static final String INDEXES_ONLY =
            "set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)";

    private static final String RUN_OF_SERVER =
            "(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint::text";

    private static final String LOCK_KEY = "hashtextextended('catbox ' || %s, 0)";

    private static final ConnectionLock CONNECTION_LOCK = new ConnectionLock(
            "SELECT CASE WHEN pg_try_advisory_lock(" + LOCK_KEY.formatted("?::text") + ") THEN " + RUN_OF_SERVER
                    + " END",
            RUN_OF_SERVER,
            "pg_try_advisory_xact_lock_shared(" + LOCK_KEY + ")",
            "SELECT pg_advisory_unlock(" + LOCK_KEY.formatted("?::text") + ")");

    static final String THROUGH_INDEXES = "SELECT " + INDEXES_ONLY + "; ";

    /** Stand for what another program may have written as a time: later and earlier than any that this database has. */
    private static final Instant INFINITY = Instant.parse("+300000-01-01T00:00:00Z");

    private static final Instant MINUS_INFINITY = Instant.parse("-10000-01-01T00:00:00Z");

    /** Stands before statements that find their rows through indexes. */
    private final String throughIndexes;

    public PostgresDialect() {
        this.throughIndexes = THROUGH_INDEXES;
    }

    /** One whose reads the server gives up after this long: who asked has gone by then, and asks again. */
    public PostgresDialect(Duration readMax) {
        this.throughIndexes = throughIndexesWithin(readMax);
    }

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public String now() {
        return NOW;
    }

    @Override
    public String nowPlus(String micros) {
        return NOW + " + " + micros + " * INTERVAL '1 microsecond'";
    }

    @Override
    public String microsSince(String column) {
        return "(extract(epoch FROM " + NOW + " - " + column + ") * 1000000)::bigint";
    }

    /**
     * An advisory lock of the session. Others find out that it is free by taking it in share mode for the length of their
     * statement; the owner, which may want it back at that very moment, tries again with its next heartbeat.
     */
    @Override
    public ConnectionLock connectionLock() {
        return CONNECTION_LOCK;
    }

    /** {@link #giveUpAfter} does it: the driver would open another connection, and wait for that one. */
    @Override
    public void limitStatement(PreparedStatement statement, Duration atMost) {}

    /** Stands before a statement, as part of the same message, and has the server give it up after this long. */
    public static String giveUpAfter(Duration atMost) {
        return "SELECT " + limit(atMost) + "; ";
    }

    /** {@link #THROUGH_INDEXES} with {@link #giveUpAfter}. */
    public static String throughIndexesWithin(Duration atMost) {
        return "SELECT " + INDEXES_ONLY + ", " + limit(atMost) + "; ";
    }

    /** The same for what need not wait for the disk when it is committed. */
    public static String relaxedThroughIndexesWithin(Duration atMost) {
        return "SELECT " + INDEXES_ONLY + ", set_config('synchronous_commit', 'off', true), " + limit(atMost) + "; ";
    }

    private static String limit(Duration atMost) {
        return "set_config('statement_timeout', '" + atMost.toMillis() + "', true)";
    }

    @Override
    public String pending(String alias) {
        return alias + ".status IN (0, 2)"; // to the letter as in the partial indexes
    }

    @Override
    public boolean locksBeyondTheLimit() {
        return false;
    }

    /** In other words than {@link #pending}, so that only the index of lanes, which has the same, can answer. */
    @Override
    public String pendingInLane(String alias) {
        return alias + ".status NOT IN (1, 3)";
    }

    @Override
    public String joinInOrder() {
        return "JOIN";
    }

    @Override
    public String shareLock() {
        return "FOR SHARE";
    }

    @Override
    public String indexed(TableNames tables, String alias, String index) {
        return tables.event() + " " + alias;
    }

    @Override
    public void bindInstant(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException {
        statement.setObject(index, instant == null ? null : bound(instant), Types.TIMESTAMP_WITH_TIMEZONE);
    }

    private static OffsetDateTime bound(Instant instant) {
        if (instant.equals(INFINITY)) {
            return OffsetDateTime.MAX;
        }
        return instant.equals(MINUS_INFINITY) ? OffsetDateTime.MIN : instant.atOffset(ZoneOffset.UTC);
    }

    @Override
    public @Nullable Instant readInstant(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        if (time == null) {
            return null;
        }
        if (time.equals(OffsetDateTime.MAX)) {
            return INFINITY;
        }
        return time.equals(OffsetDateTime.MIN) ? MINUS_INFINITY : time.toInstant();
    }

    /**
     * All parts of the statement see one snapshot, so the rule of order holds for it as a whole: what it locks, it
     * saw together with every older event of the key that was committed before.
     */
    @Override
    public List<StoredRow> claim(Connection conn, EventSql sql, ClaimRequest request) throws SQLException {
        boolean byKey = request.ordering() == Ordering.KEY;
        String chosen = EventSql.isOfWindow(request) ? "e.event_id = ANY(ARRAY(" + sql.window + ")) AND " : "";
        String claim = THROUGH_INDEXES + "WITH due AS (SELECT e.event_id, e.available_at, e.seq, " + EventSql.SIZE
                + " AS size FROM " + sql.table + " e WHERE " + chosen + sql.due(request)
                + " ORDER BY e.available_at, e.seq LIMIT ? FOR UPDATE OF e SKIP LOCKED),"
                + " sized AS (SELECT event_id, size, sum(size) OVER (ORDER BY available_at, seq) AS total FROM due)"
                + " UPDATE " + sql.table + " t SET " + EventSql.COUNT_DEATH + "claim_token = ?, claimed_until = "
                + nowPlus("?")
                + (byKey ? ", held_key_hash = t.key_hash" : "")
                + " FROM sized s WHERE t.event_id = ANY(ARRAY(SELECT event_id FROM sized)) AND t.event_id = s.event_id"
                + " AND (s.total <= ? OR s.total = s.size)"
                + " RETURNING " + EventSql.OF_T;
        ClaimTerms terms = request.terms();
        try (PreparedStatement statement = conn.prepareStatement(claim)) {
            int at = EventSql.bindDue(statement, request);
            statement.setInt(at, request.eventsMax());
            statement.setString(++at, terms.token());
            statement.setLong(++at, Micros.of(terms.lease()));
            statement.setLong(++at, request.bytesMax());
            try (ResultSet rows = Sql.rows(THROUGH_INDEXES, statement)) {
                return inOrder(rows);
            }
        }
    }

    // RETURNING promises no order.
    private List<StoredRow> inOrder(ResultSet rows) throws SQLException {
        return RowReader.stored(this, rows).stream()
                .sorted(Comparator.comparing((StoredRow row) -> row.event().availableAt())
                        .thenComparingLong(StoredRow::seq))
                .toList();
    }

    @Override
    public int updateClaimed(Connection conn, String table, ClaimedUpdate update) throws SQLException {
        String sql = THROUGH_INDEXES + "UPDATE " + table + " t SET " + update.assignments()
                + " FROM unnest(?::text[], ?::text[], ?::bigint[], ?::text[])"
                + " AS c(claimed_id, claimed_token, value_micros, value_text)"
                + " WHERE t.event_id = ANY(?::text[]) AND " + update.matches()
                // No index has pending in these words: a planner that saw a partial one empty would walk it to its end.
                + " AND t.status + 0 IN (0, 2)";
        List<ClaimedUpdate.Row> rows = update.rows();
        try (PreparedStatement statement = conn.prepareStatement(sql)) {
            Object[] ids = rows.stream().map(r -> r.claim().eventId()).toArray();
            bindArray(conn, statement, 1, "text", ids);
            bindArray(conn, statement, 5, "text", ids);
            bindArray(
                    conn,
                    statement,
                    2,
                    "text",
                    rows.stream().map(r -> r.claim().token()).toArray());
            bindArray(
                    conn,
                    statement,
                    3,
                    "bigint",
                    rows.stream().map(ClaimedUpdate.Row::micros).toArray());
            bindArray(
                    conn,
                    statement,
                    4,
                    "text",
                    rows.stream().map(ClaimedUpdate.Row::text).toArray());
            return Sql.updated(THROUGH_INDEXES, statement);
        }
    }

    private static void bindArray(Connection conn, PreparedStatement statement, int index, String type, Object[] values)
            throws SQLException {
        Array array = conn.createArrayOf(type, values);
        statement.setArray(index, array);
    }

    @Override
    public String throughIndexes() {
        return throughIndexes;
    }

    /** The limits belong to the transaction. A lock that is not had in a while is tried for again later. */
    @Override
    public void limitSilence(Connection conn, Duration statementMax) throws SQLException {
        try (PreparedStatement statement =
                conn.prepareStatement("SELECT set_config('idle_in_transaction_session_timeout', '2000', true),"
                        + " set_config('lock_timeout', ?, true), set_config('statement_timeout', ?, true)")) {
            String millis = Long.toString(statementMax.toMillis());
            statement.setString(1, millis);
            statement.setString(2, millis);
            statement.execute();
        }
    }

    @Override
    public void unlimitSilence(Connection conn) {}

    /**
     * The planner takes a range for small when its statistics are older than the rows, and would read all of it to sort
     * it. Of a million events that died since this morning, a page would then cost a million.
     */
    @Override
    public void keepToIndexes(Connection conn) throws SQLException {
        try (PreparedStatement statement =
                conn.prepareStatement("SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan',"
                        + " 'off', true), set_config('enable_bitmapscan', 'off', true)")) {
            statement.execute();
        }
    }

    @Override
    public void lockMigrations(Connection conn, String table) throws SQLException {
        try (PreparedStatement statement =
                conn.prepareStatement("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")) {
            statement.setString(1, "catbox " + table);
            statement.execute();
        }
    }

    /** The lock ends with the transaction. */
    @Override
    public void unlockMigrations(Connection conn, String table) {}
}
