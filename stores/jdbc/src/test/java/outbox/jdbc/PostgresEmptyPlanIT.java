package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleStore;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PeekRequest;

/**
 * A session keeps the plans that it has made, for as long as nobody vacuums or analyzes the table. Those that it makes
 * while the table is empty must do for the burst that comes next.
 */
final class PostgresEmptyPlanIT {

    /** More than a session needs to settle for a plan that it keeps. */
    private static final int TIMES = 12;

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Claim SOME = new Claim("%026d".formatted(7), "token");

    private TestDatabase database;
    private JdbcPartitionStore relay;
    private ClaimStore dispatcher;
    private SettleStore settlements;

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
        new SchemaInstaller(database.connections()).install();
        database.execute("ALTER TABLE outbox_event SET (autovacuum_enabled = false)");
        database.execute("VACUUM ANALYZE outbox_event");
        database.execute("UPDATE outbox_slot SET owner = 'session', epoch = 1 WHERE slot = 3");
        database.dataSource().setMaximumPoolSize(1); // One session, which keeps its plans.
        relay = new JdbcPartitionStore(database.connections());
        dispatcher = new JdbcStores(database.connections()).claims();
        settlements = new JdbcStores(database.connections()).settlements();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void nothingReadsTheWholeTableThatWasPlannedWhileItWasEmpty() throws SQLException {
        for (int times = 0; times < TIMES; times++) {
            works().values().forEach(Runnable::run);
        }
        database.execute(
                "INSERT INTO outbox_event (event_id, event_type, ordering_key, key_hash, payload, status,"
                        + " occurred_at, available_at, created_at) SELECT lpad(i::text, 26, '0'), 'A', 'key ' || i % 1000,"
                        + " abs(hashint4(i % 1000)), repeat('x', 500), 0, now(), now(), now() FROM generate_series(1, 20000) i");
        Map<String, Long> rowsRead = new TreeMap<>();
        works().forEach((name, work) -> {
            long before = rowsReadOneByOne();
            work.run();
            rowsRead.put(name, rowsReadOneByOne() - before);
        });
        assertThat(rowsRead)
                .allSatisfy((name, rows) -> assertThat(rows).as(name).isLessThan(2_000));
    }

    /** Planning takes longer than most of these statements. */
    @Test
    void nothingOfTheHotPathIsPlannedAgain() throws SQLException {
        Set<String> once = Set.of("fetch", "fetch together", "lanes", "settle done and keep", "settle done and delete");
        for (int times = 0; times < TIMES; times++) {
            works().forEach((name, work) -> {
                if (once.contains(name)) {
                    work.run();
                }
            });
        }
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement()) {
            // How far seq was given out is asked for seldom, and without the preface.
            String prepared = "FROM pg_prepared_statements WHERE statement LIKE '%outbox_event%'";
            assertThat(LargeTable.number(statement, "SELECT count(*) AS n " + prepared, "n"))
                    .isGreaterThanOrEqualTo(once.size());
            assertThat(LargeTable.number(statement, "SELECT sum(custom_plans) AS n " + prepared, "n"))
                    .isZero();
        }
    }

    private Map<String, Runnable> works() {
        Map<String, Runnable> works = new LinkedHashMap<>();
        works.put("fetch", () -> relay.fetch(List.of(ofSlot(3))).getFirst());
        works.put("fetch together", () -> relay.fetch(List.of(ofSlot(3), ofSlot(4))));
        works.put(
                "fetch of large events",
                () -> relay.fetch(List.of(new PartitionFetch(TERMS, 3, 0, Set.of(1), 100, 5_000)))
                        .getFirst());
        works.put("lanes", () -> relay.fetchLanes(new LaneFetch(Set.of(1, 2, 3), 10, 1 << 20)));
        works.put(
                "poll",
                () -> relay.peek(
                        new PeekRequest(TERMS, List.of(new PeekRequest.Position(3, 0, Set.of(1))), Instant.EPOCH)));
        works.put("settle done and keep", () -> settle(new Settlement.Done(SOME), DoneRows.KEEP));
        works.put("settle done and delete", () -> settle(new Settlement.Done(SOME), DoneRows.DELETE));
        works.put("settle for a retry", () -> settle(new Settlement.Retry(SOME, LEASE, "no"), DoneRows.KEEP));
        works.put("claim", () -> dispatcher.claim(request()));
        works.put("claim one", () -> dispatcher.claimOne(SOME.eventId(), new ClaimTerms("t", LEASE)));
        works.put("renew", () -> dispatcher.renew(Set.of(SOME), LEASE));
        works.put(
                "settle a claim",
                () -> settlements.settle(new SettleRequest(
                        new Fence.Tokens(),
                        "node",
                        List.of(new SettleItem(new Settlement.Done(SOME), 0, "listeners")),
                        DoneRows.KEEP,
                        List.of(),
                        true)));
        works.put("release", () -> dispatcher.release(Set.of(SOME)));
        return works;
    }

    private static PartitionFetch ofSlot(int slot) {
        return new PartitionFetch(TERMS, slot, 0, Set.of(1), 100, 1 << 20);
    }

    private void settle(Settlement settlement, DoneRows doneRows) {
        SettleItem item = new SettleItem(settlement, 0, "there");
        relay.settle(new SettleRequest(
                new Fence.Ownership(new PartitionOwnership(3, 1, "session")), "node", List.of(item), doneRows));
        relay.settle(new SettleRequest(new Fence.Tokens(), "node", List.of(item), doneRows));
    }

    private static ClaimRequest request() {
        return new ClaimRequest(new ClaimTerms("some", LEASE), Duration.ZERO, 100, 1 << 20);
    }

    private long rowsReadOneByOne() {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement()) {
            // A session reports what it did at most once a second unless it is told to.
            statement.execute("SELECT pg_stat_force_next_flush()");
            return LargeTable.number(
                    statement,
                    "SELECT seq_tup_read + idx_tup_fetch AS n FROM pg_stat_user_tables WHERE relname = 'outbox_event'",
                    "n");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
