package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.model.Claim;
import outbox.model.Settlement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest;

/** What a relay's statements cost follows their batch, not the table: 15,000 done, 15,000 pending and 3,000 delayed events. */
abstract class RelayLargeTable {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    private static final int BATCH = 100;
    private static final int ROWS_ALLOWED = 1_500;

    private TestDatabase database;
    private JdbcPartitionStore store;
    private PartitionOwnership hold;

    abstract TestDatabase openDatabase();

    /** How many rows the database has read, as its own statistics say. */
    abstract long rowsScanned(Statement statement) throws SQLException;

    @BeforeEach
    void fill() throws SQLException {
        database = openDatabase();
        new SchemaInstaller(database.connections()).install();
        database.dataSource().setMaximumPoolSize(1); // One session, whose statistics are then complete.
        store = new JdbcPartitionStore(database.connections());
        JdbcClusterStore cluster = new JdbcClusterStore(database.connections());
        cluster.join(new Member("session", "node", 1, "test", "here"), TERMS, Duration.ofMinutes(10));
        hold = cluster.acquire(Set.of(3), "session", TERMS).getFirst().ownership();
        publish(15_000, "Done");
        database.execute("UPDATE outbox_event SET status = 1, done_at = created_at");
        publish(15_000, "Pending");
        publish(3_000, "Delayed");
        database.execute("UPDATE outbox_event SET available_at = '2100-01-01' WHERE event_type = 'Delayed'");
    }

    void analyze(TestDatabase filled) {
        filled.execute("ANALYZE TABLE outbox_event");
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    @Test
    void noStatementReadsMoreThanItsBatchThoughStatisticsAreStale() throws SQLException {
        everyStatementIsCheap();
    }

    @Test
    void noStatementReadsMoreThanItsBatch() throws SQLException {
        analyze(database);
        everyStatementIsCheap();
    }

    private void everyStatementIsCheap() throws SQLException {
        PartitionPage front = fetch(0, 1_000);
        long middle = front.events().get(999).seq();
        // Often enough for drivers and databases to settle on one plan.
        for (int round = 0; round < 12; round++) {
            cheap("fetch", () -> assertThat(fetch(middle, BATCH).events()).hasSize(BATCH));
        }
        Set<Integer> lanes =
                front.events().stream().limit(10).map(event -> event.keyHash()).collect(Collectors.toSet());
        cheap("fetch lanes", () -> store.fetchLanes(new LaneFetch(lanes, 10, 1 << 20)));
        long last = lastSeq();
        List<PeekRequest.Position> positions = IntStream.range(0, 6)
                .mapToObj(slot -> new PeekRequest.Position(slot, slot % 2 == 0 ? 0 : last, lanes))
                .toList();
        cheap(
                "poll",
                () -> assertThat(store.peek(new PeekRequest(TERMS, positions, Instant.EPOCH))
                                .partitions())
                        .containsExactlyInAnyOrder(0, 2, 4));
        for (DoneRows doneRows : DoneRows.values()) {
            List<SettleItem> done = new ArrayList<>();
            fetch(middle, BATCH).events().forEach(event -> {
                Claim claim = new Claim(event.event().eventId(), hold.token());
                done.add(new SettleItem(new Settlement.Done(claim), 0, "there"));
            });
            cheap("settle", () -> settle(done, doneRows));
        }
        List<SettleItem> mixed = new ArrayList<>();
        fetch(middle, BATCH).events().forEach(event -> {
            Claim claim = new Claim(event.event().eventId(), hold.token());
            mixed.add(new SettleItem(
                    mixed.size() % 2 == 0
                            ? new Settlement.Done(claim)
                            : new Settlement.Retry(claim, Duration.ofMillis(mixed.size()), "broken"),
                    0,
                    "there"));
        });
        cheap("settle mixed", () -> settle(mixed, DoneRows.DELETE));
    }

    private void settle(List<SettleItem> items, DoneRows doneRows) {
        assertThat(store.settle(new SettleRequest(new Fence.Ownership(hold), "node", items, doneRows)))
                .isEqualTo(SettleResult.allWritten(items.size()));
    }

    private PartitionPage fetch(long after, int max) {
        return store.fetch(List.of(new PartitionFetch(TERMS, 3, after, Set.of(), max, 1 << 20)))
                .getFirst();
    }

    private void cheap(String what, Runnable statement) throws SQLException {
        long before = rowsScanned();
        statement.run();
        assertThat(rowsScanned() - before)
                .describedAs("rows scanned by %s", what)
                .isLessThan(ROWS_ALLOWED);
    }

    private long lastSeq() throws SQLException {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery("SELECT MAX(seq) FROM outbox_event")) {
            row.next();
            return row.getLong(1);
        }
    }

    private long rowsScanned() throws SQLException {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement()) {
            return rowsScanned(statement);
        }
    }

    private void publish(int count, String type) throws SQLException {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
        JdbcTransactionManager transactions = new JdbcTransactionManager(database.connections(), context);
        for (int from = 0; from < count; from += 1_000) {
            List<EventEnvelope> events = IntStream.range(from, Math.min(count, from + 1_000))
                    .mapToObj(i -> EventEnvelope.builder(type)
                            .aggregateId("key-" + i)
                            .payloadJson("{}")
                            .build())
                    .toList();
            transactions.run(conn -> client.publishAll(events));
        }
    }
}
