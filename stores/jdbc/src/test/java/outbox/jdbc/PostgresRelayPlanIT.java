package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.jdbc.internal.dialect.PostgresDialect;
import outbox.jdbc.internal.dialect.PostgresReads;
import outbox.jdbc.internal.event.PostgresDoneSettle;
import outbox.jdbc.internal.relay.LaneRead;
import outbox.jdbc.internal.relay.PartitionRead;
import outbox.jdbc.internal.relay.PeekRead;
import outbox.jdbc.internal.relay.PostgresSlotsRead;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PeekRequest;

/** Which indexes the planner takes, whatever it believes of the table. */
class PostgresRelayPlanIT {

    /** What the planner has been told. */
    enum Statistics {
        NONE,
        OF_THE_EMPTY_TABLE,
        TRUE,
        OF_TEN_MILLION_ROWS
    }

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);

    private TestDatabase database;
    private PostgresReads relayDialect;

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
        new SchemaInstaller(database.connections()).install();
        database.execute("ALTER TABLE outbox_event SET (autovacuum_enabled = false)");
        relayDialect = new PostgresReads(new PostgresDialect(), TableNames.DEFAULT);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void fill(Statistics statistics) {
        if (statistics == Statistics.OF_THE_EMPTY_TABLE) {
            database.execute("VACUUM ANALYZE outbox_event");
        }
        database.execute("INSERT INTO outbox_event (event_id, event_type, key_hash, payload, status, occurred_at,"
                + " available_at, created_at) SELECT lpad(i::text, 26, '0'), 'A', abs(hashint4(i % 1000)),"
                + " repeat('x', 500), 0, now(), now(), now() FROM generate_series(1, 20000) i");
        if (statistics == Statistics.TRUE || statistics == Statistics.OF_TEN_MILLION_ROWS) {
            database.execute("ANALYZE outbox_event");
        }
        if (statistics == Statistics.OF_TEN_MILLION_ROWS) {
            database.execute("UPDATE pg_class SET reltuples = 10000000 WHERE relname LIKE 'outbox_event%'");
        }
    }

    @ParameterizedTest
    @EnumSource
    void severalSlotsAreEachWalkedInTheOrderOfTheirIndex(Statistics statistics) throws SQLException {
        fill(statistics);
        PostgresSlotsRead read = new PostgresSlotsRead(
                relayDialect,
                IntStream.range(0, 6)
                        .mapToObj(slot -> new PartitionRead(
                                relayDialect,
                                new PartitionFetch(TERMS, slot, 10_000, Set.of(1, 2), 50, 1 << 20),
                                met -> {}))
                        .toList());
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            String plan = plan(mode, read.sql(), read::bind);
            assertThat(plan)
                    .contains("Index Scan using outbox_event_p6")
                    .doesNotContain("Bitmap", "Seq Scan", "Sort", "WindowAgg");
            assertThat(cost(plan))
                    .as("taken for dear, it would be compiled each time")
                    .isLessThan(100_000);
        }
    }

    private static double cost(String plan) {
        Matcher cost = Pattern.compile("cost=[0-9.]+?\\.\\.([0-9.]+)").matcher(plan);
        assertThat(cost.find()).as(plan).isTrue();
        return Double.parseDouble(cost.group(1));
    }

    @ParameterizedTest
    @EnumSource
    void aSlotIsWalkedInTheOrderOfItsIndex(Statistics statistics) throws SQLException {
        fill(statistics);
        PartitionRead read = new PartitionRead(
                relayDialect, new PartitionFetch(TERMS, 3, 10_000, Set.of(1, 2), 1_000, 1 << 20), met -> {});
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            assertThat(plan(mode, read.sql(), read::bind))
                    .contains("Index Scan using outbox_event_p6")
                    .doesNotContain("Bitmap", "Seq Scan", "Sort");
            assertThat(plan(mode, read.smallSql(relayDialect), read::bindSmall))
                    .contains("Index Scan using outbox_event_p6")
                    .doesNotContain("Bitmap", "Seq Scan", "Sort", "WindowAgg");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWalkBeginsAtItsBoundAndNotAtTheFirstEntryOfItsSlot(Statistics statistics) throws SQLException {
        fill(statistics);
        PartitionRead read = new PartitionRead(
                relayDialect, new PartitionFetch(TERMS, 3, 19_990, Set.of(), 1_000, 1 << 20), met -> {});
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            assertThat(plan(mode, read.smallSql(relayDialect), read::bindSmall))
                    .containsPattern("Index Cond: .*key_hash % 6.*seq > ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void lanesAreReadThroughTheirIndex(Statistics statistics) throws SQLException {
        fill(statistics);
        List<Integer> lanes = IntStream.range(0, 100).boxed().toList();
        LaneRead read = new LaneRead(relayDialect, new LaneFetch(Set.copyOf(lanes), 10, 1 << 20), met -> {});
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            assertThat(plan(mode, read.sql(lanes), (conn, statement) -> {
                        int at = relayDialect.bindChosenLanes(conn, statement, lanes, 11);
                        statement.setLong(at, 1 << 20);
                    }))
                    .contains("using outbox_event_lane")
                    .doesNotContain("Bitmap", "Seq Scan");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPollStepsIntoTheIndexOfSlotsAndReadsTheRangeOfDelayedEvents(Statistics statistics) throws SQLException {
        fill(statistics);
        List<PeekRequest.Position> positions = IntStream.range(0, 6)
                .mapToObj(slot -> new PeekRequest.Position(slot, 15_000, Set.of(1)))
                .toList();
        PeekRead read = new PeekRead(relayDialect, new PeekRequest(TERMS, positions, Instant.EPOCH));
        for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
            assertThat(plan(mode, read.sql(), read::bind))
                    .contains("Index Scan using outbox_event_p6", "outbox_event_delayed")
                    .doesNotContain("Seq Scan", "on outbox_event_p6");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSettleLooksAtItsFenceOnceBeforeItReadsAnEvent(Statistics statistics) throws SQLException {
        fill(statistics);
        List<SettleItem> verdicts = IntStream.range(1, 101)
                .mapToObj(i -> new SettleItem(new Settlement.Done(new Claim("%026d".formatted(i), "3@1")), 0, "there"))
                .toList();
        for (DoneRows doneRows : DoneRows.values()) {
            PostgresDoneSettle settle = new PostgresDoneSettle(
                    TableNames.DEFAULT,
                    new SettleRequest(
                            new Fence.Ownership(new PartitionOwnership(3, 1, "session")), "node", verdicts, doneRows));
            for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
                assertThat(plan(mode, settle.sql(), settle::bind))
                        .contains("LockRows", "outbox_event_pkey")
                        .doesNotContain("Seq Scan on outbox_event", "outbox_event_p6", "outbox_event_lane")
                        .containsPattern("One-Time Filter: \\(InitPlan \\d+\\)");
            }
        }
    }

    @FunctionalInterface
    private interface Binding {
        void bind(Connection conn, PreparedStatement statement) throws SQLException;
    }

    private String plan(String mode, String sql, Binding binding) throws SQLException {
        try (Connection conn = database.dataSource().getConnection();
                Statement setting = conn.createStatement()) {
            setting.execute("SET plan_cache_mode = " + mode);
            try (PreparedStatement statement = conn.prepareStatement("EXPLAIN " + sql)) {
                binding.bind(conn, statement);
                return String.join("\n", Sql.strings(statement.executeQuery()));
            } finally {
                setting.execute("RESET plan_cache_mode");
            }
        }
    }
}
