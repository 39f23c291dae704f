package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.internal.EventCursor;
import outbox.internal.IdRange;
import outbox.jdbc.internal.dialect.PostgresDialect;
import outbox.jdbc.internal.operations.EventConditions;
import outbox.jdbc.internal.operations.EventSearch;
import outbox.jdbc.internal.operations.IndexScan;
import outbox.jdbc.internal.operations.SearchPlan;
import outbox.jdbc.internal.schema.SearchIndex;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlText;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;

/** A search scans the index that it is made for and ends where it has to, whatever the planner believes of the table. */
class PostgresSearchPlanIT {

    /** What the planner has been told. */
    enum Statistics {
        NONE,
        OF_THE_EMPTY_TABLE,
        TRUE,
        OF_TEN_MILLION_ROWS
    }

    private static final EventCursor BEHIND = new EventCursor.ById("01K00000000000000000000000");
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
        new SchemaInstaller(database.connections()).install();
        database.execute("ALTER TABLE outbox_event SET (autovacuum_enabled = false)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void fill(Statistics statistics) {
        if (statistics == Statistics.OF_THE_EMPTY_TABLE) {
            database.execute("VACUUM ANALYZE outbox_event");
        }
        database.execute("INSERT INTO outbox_event (event_id, event_type, key_hash, status, occurred_at, available_at,"
                + " created_at, done_at) SELECT '01K' || lpad(i::text, 23, '0'), 'T' || i % 3, abs(hashint4(i % 1000)),"
                + " s, now(), now(), now() - i * interval '1 second', CASE s WHEN 1 THEN now() - i * interval '1 second'"
                + " END FROM generate_series(1, 20000) i,"
                + " LATERAL (SELECT (ARRAY[1, 1, 1, 1, 1, 1, 0, 2, 3, 3])[1 + i % 10] AS s) status");
        if (statistics == Statistics.TRUE || statistics == Statistics.OF_TEN_MILLION_ROWS) {
            database.execute("ANALYZE outbox_event");
        }
        if (statistics == Statistics.OF_TEN_MILLION_ROWS) {
            database.execute("UPDATE pg_class SET reltuples = 10000000 WHERE relname LIKE 'outbox_event%'");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everySearchWalksItsIndex(Statistics statistics) throws SQLException {
        fill(statistics);
        EventCursor settled = new EventCursor.Settled(null, TIME, "x");
        EventCursor done = new EventCursor.Settled(TIME, TIME, "x");
        EventCursor due = new EventCursor.Due(TIME, 5);
        scans("outbox_event_pkey", filter -> filter, BEHIND);
        scans("outbox_event_pkey", filter -> filter.withTenantId("t"), BEHIND);
        scans("outbox_event_pkey", filter -> filter.createdBetween(TIME, TIME.plusSeconds(60)), BEHIND);
        scans("outbox_event_pkey", in(State.DONE).andThen(f -> f.createdBetween(TIME, null))::apply, BEHIND);
        scans("outbox_event_settled", in(State.DONE), done);
        scans("outbox_event_settled", in(State.DEAD), settled);
        scans("outbox_event_settled", in(State.RETRY), settled);
        scans("outbox_event_settled", in(State.DEAD).andThen(f -> f.createdBetween(TIME, null))::apply, settled);
        scans("outbox_event_due", in(State.PENDING), due);
        scans("outbox_event_lane", in(State.PENDING).andThen(f -> f.withKey("k"))::apply, new EventCursor.Inserted(5));
    }

    @ParameterizedTest
    @EnumSource
    void aSearchByKeyOrTypeWalksTheIndexThatAnOperatorChose(Statistics statistics) throws SQLException {
        fill(statistics);
        new SchemaInstaller(database.connections()).createSearchIndexes();
        scans("outbox_event_search_key", filter -> filter.withKey("k"), BEHIND);
        scans("outbox_event_search_key", in(State.DEAD).andThen(f -> f.withKey("k"))::apply, BEHIND);
        scans("outbox_event_search_type", filter -> filter.withEventType("T1"), BEHIND);
        scans("outbox_event_search_type", in(State.DONE).andThen(f -> f.withEventType("T1"))::apply, BEHIND);
        scans(
                "outbox_event_search_type",
                filter -> filter.withEventType("T1").createdBetween(TIME, TIME.plusSeconds(60)),
                BEHIND);
        // And nobody else does.
        scans("outbox_event_settled", in(State.DEAD).andThen(f -> f.withEventType("T1"))::apply, null);
        scans("outbox_event_lane", in(State.PENDING).andThen(f -> f.withKey("k"))::apply, null);
    }

    /** An index can be walked from its end to where the wanted rows are, which a plan does not show and its cost does. */
    @ParameterizedTest
    @EnumSource
    void aSearchBeginsWhereItsRowsAre(Statistics statistics) throws SQLException {
        fill(statistics);
        new SchemaInstaller(database.connections()).createSearchIndexes();
        database.execute("VACUUM outbox_event");
        SearchIndex type = SearchIndex.ofType("T1");
        EventCursor.ById old = new EventCursor.ById(id(120));
        EventCursor.ById young = new EventCursor.ById(id(19_900));
        try (Connection conn = database.dataSource().getConnection()) {
            conn.setAutoCommit(false);
            new PostgresDialect().searches().forceIndexes(conn);
            for (SearchIndex index : new @Nullable SearchIndex[] {null, type}) {
                begins(conn, index, true, new IdRange(id(100), id(120)), null);
                begins(conn, index, true, new IdRange(id(90), id(15_000)), old);
                begins(conn, index, true, new IdRange(null, id(100)), young);
                begins(conn, index, true, IdRange.ALL, old);
                begins(conn, index, false, new IdRange(id(19_900), id(19_920)), null);
                begins(conn, index, false, new IdRange(id(90), null), young);
                begins(conn, index, false, new IdRange(id(19_900), null), old);
            }
            conn.rollback();
        }
    }

    private static String id(int number) {
        return "01K" + "0".repeat(23 - Integer.toString(number).length()) + number;
    }

    private static void begins(
            Connection conn,
            @Nullable SearchIndex index,
            boolean latestFirst,
            IdRange range,
            EventCursor.@Nullable ById behind) {
        PostgresDialect dialect = new PostgresDialect();
        IndexScan scan = new IndexScan.ById(dialect, TableNames.DEFAULT, range, index, latestFirst);
        SearchPlan plan = new SearchPlan(List.of(scan), EventConditions.of(EventFilter.ALL));
        SqlText sql = new EventSearch(dialect, 5).statement(plan, scan, behind, 5, 5);
        try (PreparedStatement statement =
                conn.prepareStatement("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) " + sql)) {
            sql.bind(statement);
            String found = String.join("\n", Sql.strings(statement.executeQuery()));
            Matcher pages = Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?")
                    .matcher(found);
            assertThat(pages.find()).as(found).isTrue();
            int read =
                    Integer.parseInt(pages.group(1)) + (pages.group(2) == null ? 0 : Integer.parseInt(pages.group(2)));
            assertThat(read).as("pages read by %s%n%s", sql, found).isLessThan(20);
        } catch (SQLException e) {
            throw new IllegalStateException(sql.toString(), e);
        }
    }

    private static UnaryOperator<EventFilter> in(State state) {
        return filter -> filter.withState(state);
    }

    private void scans(String index, UnaryOperator<EventFilter> filter, @Nullable EventCursor behind)
            throws SQLException {
        EventFilter asked = filter.apply(EventFilter.ALL);
        try (Connection conn = database.dataSource().getConnection()) {
            conn.setAutoCommit(false);
            new PostgresDialect().searches().forceIndexes(conn);
            for (EventCursor after : behind == null ? List.<EventCursor>of() : List.of(behind)) {
                assertThat(plans(conn, asked, after)).allSatisfy(plan -> only(index, plan));
            }
            assertThat(plans(conn, asked, null)).isNotEmpty().allSatisfy(plan -> only(index, plan));
            conn.rollback();
        }
    }

    // What is sorted is what the scan gave, never what it has to look for; an incremental sort orders rows of one time.
    private static void only(String index, String plan) {
        assertThat(plan)
                .containsPattern("Index Scan (Backward )?using " + index)
                .doesNotContain("Bitmap", "Seq Scan")
                .doesNotContainPattern("(?<!Incremental )Sort  ");
    }

    private List<String> plans(Connection conn, EventFilter filter, @Nullable EventCursor after) throws SQLException {
        SearchPlan plan = SearchPlan.Choice.forPages(conn, TableNames.DEFAULT).of(filter);
        EventSearch search = new EventSearch(new PostgresDialect(), 5_000);
        return plan.scans().stream()
                .map(scan ->
                        search.statement(plan, scan, after, plan.conditions().isEmpty() ? 51 : 5_000, 51))
                .flatMap(sql -> List.of("force_custom_plan", "force_generic_plan").stream()
                        .map(mode -> plan(conn, mode, sql)))
                .toList();
    }

    private static String plan(Connection conn, String mode, SqlText sql) {
        try (Statement setting = conn.createStatement()) {
            setting.execute("SET plan_cache_mode = " + mode);
            try (PreparedStatement statement = conn.prepareStatement("EXPLAIN " + sql)) {
                sql.bind(statement);
                return sql + "\n" + String.join("\n", Sql.strings(statement.executeQuery()));
            } finally {
                setting.execute("RESET plan_cache_mode");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql.toString(), e);
        }
    }
}
