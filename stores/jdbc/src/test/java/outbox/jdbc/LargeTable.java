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
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.jdbc.internal.event.JdbcRetentionStore;
import outbox.jdbc.internal.operations.JdbcOperatorStore;
import outbox.jdbc.internal.operations.JdbcStatisticsStore;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;

/** What each statement costs follows its batch, not the table: 20,000 done, 5,000 delayed, 200 dead and 100 due events. */
abstract class LargeTable {

    private static final int DONE = 20_000;
    private static final int ROWS_ALLOWED = 5_000;

    private TestDatabase database;
    private ClaimStore store;
    private SettleStore settlements;

    abstract TestDatabase openDatabase();

    /** How many rows the database has read by scanning tables, as its own statistics say. */
    abstract long rowsScanned(Statement statement) throws SQLException;

    @BeforeEach
    void fill() throws SQLException {
        database = openDatabase();
        new SchemaInstaller(database.connections()).install();
        database.dataSource().setMaximumPoolSize(1); // One session, whose statistics are then complete.
        store = new JdbcStores(database.connections()).claims();
        settlements = new JdbcStores(database.connections()).settlements();
        publish(DONE, "Done");
        database.execute("UPDATE outbox_event SET status = 1, done_at = created_at");
        publish(5_000, "Delayed");
        database.execute("UPDATE outbox_event SET available_at = '2100-01-01' WHERE event_type = 'Delayed'");
        publish(200, "Dead");
        database.execute("UPDATE outbox_event SET status = 3, last_error = 'x' WHERE event_type = 'Dead'");
        publish(100, "Due");
        analyze(database);
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
    void noStatementReadsTheWholeTable() throws Exception {
        cheap("claim", this::claim);
        Set<Claim> claims = Set.copyOf(claim());
        cheap("renew", () -> store.renew(claims, Duration.ofSeconds(30)));
        cheap(
                "settle",
                () -> settle(claims.stream()
                        .map(claim -> new Settlement.Retry(claim, Duration.ZERO, "x"))
                        .toList()));
        List<Claim> more = claim();
        cheap(
                "settle done",
                () -> settle(more.stream().map(Settlement.Done::new).toList()));
        Set<Claim> again = Set.copyOf(claim());
        cheap("release", () -> store.release(again));
        cheap("statistics", () -> new JdbcStatisticsStore(database.connections()).statistics(100));
        JdbcOperatorStore operator = new JdbcOperatorStore(database.connections(), TableNames.DEFAULT, 500);
        for (EventFilter filter : filters()) {
            cheap("list " + filter.describe(), () -> operator.events(new EventQuery(filter, null, 50)));
            cheap("count " + filter.describe(), () -> operator.count(new Selection.Matching(filter), 50));
        }
        cheap(
                "range",
                () -> operator.range(EventFilter.ALL.withState(State.DONE).withTenantId("none"), null, 50));
        Selection dead = new Selection.Matching(EventFilter.ALL.withState(State.DEAD));
        cheap("replay dead", () -> operator.replay(dead, null, 50, new OperatorAction("test", null)));
        cheap("lane", () -> operator.lane("key-1", 50));
        cheap("purge", () -> new JdbcRetentionStore(database.connections()).purgeDone(Duration.ZERO, 100));
    }

    private void settle(List<? extends Settlement> all) {
        List<SettleItem> items = all.stream()
                .map(settlement -> new SettleItem(settlement, 0, "listeners"))
                .toList();
        assertThat(settlements.settle(new SettleRequest(
                        new SettleRequest.Fence.Tokens(), "node", items, SettleRequest.DoneRows.KEEP, List.of(), true)))
                .isEqualTo(SettleResult.allWritten(all.size()));
    }

    // Those that match nothing have to give up.
    private static List<EventFilter> filters() {
        List<EventFilter> filters = new ArrayList<>();
        for (State state : new @Nullable State[] {null, State.PENDING, State.RETRY, State.DEAD, State.DONE}) {
            EventFilter any = EventFilter.ALL.withState(state);
            filters.add(any);
            filters.add(any.withTenantId("none"));
            filters.add(any.withKey("none"));
            filters.add(any.createdBetween(null, Instant.parse("2020-01-01T00:00:00Z")));
        }
        return filters;
    }

    private List<Claim> claim() {
        ClaimTerms terms = new ClaimTerms("token-" + System.nanoTime(), Duration.ofSeconds(30));
        List<OutboxEvent> claimed = store.claim(new ClaimRequest(terms, Duration.ZERO, 20, 1 << 20));
        assertThat(claimed).hasSize(20);
        return claimed.stream()
                .map(event -> new Claim(event.eventId(), terms.token()))
                .toList();
    }

    private void cheap(String what, Runnable statement) throws SQLException {
        long before = rowsScanned();
        statement.run();
        assertThat(rowsScanned() - before)
                .describedAs("rows scanned by %s", what)
                .isLessThan(ROWS_ALLOWED);
    }

    private long rowsScanned() throws SQLException {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement()) {
            return rowsScanned(statement);
        }
    }

    static long number(Statement statement, String sql, String column) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(column);
        }
    }

    private void publish(int count, String type) throws SQLException {
        publish(count, type, i -> "key-" + i);
    }

    private void publish(int count, String type, IntFunction<String> keys) throws SQLException {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(new JdbcOutboxRepository().publisher(context));
        JdbcTransactionManager transactions = new JdbcTransactionManager(database.connections(), context);
        for (int from = 0; from < count; from += 1_000) {
            List<EventEnvelope> events = IntStream.range(from, Math.min(count, from + 1_000))
                    .mapToObj(i -> EventEnvelope.builder(type)
                            .aggregateId(keys.apply(i))
                            .payloadJson("{}")
                            .build())
                    .toList();
            transactions.run(conn -> client.publishAll(events));
        }
    }
}
