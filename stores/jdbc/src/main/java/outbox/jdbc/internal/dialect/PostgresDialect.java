package outbox.jdbc.internal.dialect;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits;
import outbox.jdbc.internal.diagnosis.PostgresChecks;
import outbox.jdbc.internal.diagnosis.ServerChecks;
import outbox.jdbc.internal.event.ClaimedUpdate;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.PostgresDoneSettle;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.sql.RowReader;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.ClaimTerms;
import outbox.spi.ClaimRequest;
import outbox.spi.SettleRequest;

/**
 * PostgreSQL: claims in one statement that selects, locks, marks and returns; batches as arrays.
 *
 * <p>Rows that are known by their ids are asked for by an array of them as well as joined to them: a planner that saw the
 * table empty would join by walking a whole index, and a session would keep that plan for the burst that comes next.
 */
public final class PostgresDialect implements Dialect {

    private static final String NOW = "statement_timestamp()";

    /**
     * Plans are made once: for arrays of few elements the planner would take a plan of their own for cheaper than the one
     * that it has, and make it each time, which takes longer than the statement itself.
     */
    private static final String INDEXES_ONLY =
            "set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)";

    static final String PREFER_INDEXES = "SELECT " + INDEXES_ONLY + "; ";

    /** Stand for infinite times, which another program may have written: later and earlier than any other time. */
    private static final Instant INFINITY = Instant.parse("+300000-01-01T00:00:00Z");

    private static final Instant MINUS_INFINITY = Instant.parse("-10000-01-01T00:00:00Z");

    private final String preferIndexes;

    public PostgresDialect() {
        this.preferIndexes = PREFER_INDEXES;
    }

    /** A dialect whose reads the server gives up after this long: the caller has given them up by then. */
    public PostgresDialect(Duration readMax) {
        this.preferIndexes = preferIndexesWithin(readMax);
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

    /** {@link #PREFER_INDEXES}, and the server gives the statement up after this long. */
    public static String preferIndexesWithin(Duration atMost) {
        return "SELECT " + INDEXES_ONLY + ", " + PostgresSessions.limit(atMost) + "; ";
    }

    /** The same for what need not wait for the disk when it is committed. */
    public static String relaxedWithin(Duration atMost) {
        return "SELECT " + INDEXES_ONLY + ", set_config('synchronous_commit', 'off', true), "
                + PostgresSessions.limit(atMost) + "; ";
    }

    @Override
    public String pending(String alias) {
        return alias + ".status IN (0, 2)"; // to the letter as in the partial indexes
    }

    /** Written otherwise than {@link #pending}, so that only the index of lanes, which has the same condition, can answer. */
    @Override
    public String pendingInLane(String alias) {
        return alias + ".status NOT IN (1, 3)";
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
    public Object parameter(Instant instant) {
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

    @Override
    public List<StoredRow> claim(Connection conn, EventSql sql, ClaimRequest request) throws SQLException {
        String chosen = request.suspects() ? "e.event_id = ANY(ARRAY(" + sql.window + ")) AND " : "";
        String claim = PREFER_INDEXES + "WITH due AS (SELECT e.event_id, e.available_at, e.seq, " + EventSql.SIZE
                + " AS size FROM " + sql.table + " e WHERE " + chosen + sql.due(request)
                + " ORDER BY e.available_at, e.seq LIMIT ? FOR UPDATE OF e SKIP LOCKED),"
                + " sized AS (SELECT event_id, size, sum(size) OVER (ORDER BY available_at, seq) AS total FROM due)"
                + " UPDATE " + sql.table + " t SET " + EventSql.COUNT_DEATH + "claim_token = ?, claimed_until = "
                + nowPlus("?")
                + " FROM sized s WHERE t.event_id = ANY(ARRAY(SELECT event_id FROM sized)) AND t.event_id = s.event_id"
                + " AND (s.total <= ? OR s.total = s.size)"
                + " RETURNING " + EventSql.OF_T;
        ClaimTerms terms = request.terms();
        try (PreparedStatement statement = conn.prepareStatement(claim)) {
            int at = EventSql.bindDue(statement, request);
            statement.setInt(at, request.eventsMax());
            statement.setString(++at, terms.token());
            statement.setLong(++at, Sql.micros(terms.lease()));
            statement.setLong(++at, request.bytesMax());
            try (ResultSet rows = Sql.rows(PREFER_INDEXES, statement)) {
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
        String sql = PREFER_INDEXES + "UPDATE " + table + " t SET " + update.assignments()
                + " FROM unnest(?::text[], ?::text[], ?::bigint[], ?::text[])"
                + " AS c(claimed_id, claimed_token, value_micros, value_text)"
                + " WHERE t.event_id = ANY(?::text[]) AND " + update.matches()
                // No index has this form of pending: a planner that saw a partial one empty would walk it to its end.
                + " AND t.status + 0 IN (0, 2)";
        try (PreparedStatement statement = conn.prepareStatement(sql)) {
            Array ids = array(conn, "text", update, row -> row.claim().eventId());
            Sql.bind(
                    statement,
                    1,
                    ids,
                    array(conn, "text", update, row -> row.claim().token()),
                    array(conn, "bigint", update, ClaimedUpdate.Row::micros),
                    array(conn, "text", update, ClaimedUpdate.Row::text),
                    ids);
            return Sql.updated(PREFER_INDEXES, statement);
        }
    }

    private static Array array(
            Connection conn, String type, ClaimedUpdate update, Function<ClaimedUpdate.Row, Object> value)
            throws SQLException {
        return conn.createArrayOf(type, update.rows().stream().map(value).toArray());
    }

    @Override
    public String preferIndexes() {
        return preferIndexes;
    }

    @Override
    public Optional<SettleStatement> settleStatement(TableNames tables, SettleRequest request) {
        return PostgresDoneSettle.fits(request)
                ? Optional.of(new PostgresDoneSettle(tables, request)::execute)
                : Optional.empty();
    }

    @Override
    public Sessions sessions() {
        return new PostgresSessions();
    }

    @Override
    public SearchStatements searches() {
        return new PostgresSearches();
    }

    @Override
    public IndexStatements indexes(TableNames tables) {
        return new PostgresIndexes(tables);
    }

    @Override
    public PostgresReads reads(TableNames tables, Duration statementMax) {
        return new PostgresReads(new PostgresDialect(statementMax), tables);
    }

    @Override
    public ServerChecks checks(TableNames tables, DiagnosisLimits limits) {
        return new PostgresChecks(tables, limits);
    }
}
