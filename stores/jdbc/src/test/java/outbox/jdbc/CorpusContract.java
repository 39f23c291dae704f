package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxConfig;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits;
import outbox.jdbc.internal.diagnosis.JdbcDiagnosisStore;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.jdbc.internal.sql.Sql;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.spi.TimeSource;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.FindingCode;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.RelayStores;
import outbox.testkit.Await;
import outbox.testkit.RecordingDestination;
import outbox.testkit.RowCorpus;
import outbox.testkit.RowCorpus.OddRow;
import outbox.testkit.StoreFixture;

/** Odd rows of every kind: every other event is delivered, and people see every row. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
abstract class CorpusContract {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROWS_MIN = 60;

    private TestDatabase database;
    private JdbcStoreFixture fixture;
    private List<OddRow> rows;
    private List<String> good;

    abstract TestDatabase openDatabase();

    @BeforeEach
    void open() throws SQLException {
        database = openDatabase();
        new SchemaInstaller(database.connections()).install();
        fixture = JdbcStoreFixture.on(database);
        good = new ArrayList<>(publish(20));
        try (Connection conn = database.dataSource().getConnection()) {
            RowCorpus.open(conn);
            rows = RowCorpus.insert(conn);
        }
        good.addAll(publish(20));
        assertThat(rows.size()).as("rows that the database takes").isGreaterThanOrEqualTo(ROWS_MIN);
    }

    @AfterEach
    void close() {
        if (database != null) {
            fixture.close();
            database.close();
        }
    }

    @Test
    void aRelayDeliversEveryOtherEventAndLeavesNoRowInTheDark() throws SQLException {
        assertThat(new JdbcDiagnosisStore(
                                database.connections(), TableNames.DEFAULT, DiagnosisLimits.DEFAULTS, TimeSource.SYSTEM)
                        .findings())
                .anyMatch(finding -> finding.is(FindingCode.ROWS_UNREADABLE));
        relay(ClaimStrategy.PARTITIONED);
        assertThat(new JdbcDiagnosisStore(
                                database.connections(), TableNames.DEFAULT, DiagnosisLimits.DEFAULTS, TimeSource.SYSTEM)
                        .findings())
                .noneMatch(finding -> finding.is(FindingCode.ROWS_UNREADABLE));
    }

    @Test
    void aRelayThatClaimsRowsDoesSoToo() throws SQLException {
        relay(ClaimStrategy.LEASE);
    }

    private void relay(ClaimStrategy strategy) throws SQLException {
        RecordingDestination destination = new RecordingDestination();
        RelayStores stores = new RelayStores(
                new JdbcPartitionStore(
                        database.connections(), TableNames.DEFAULT, TimeSource.SYSTEM, Duration.ofSeconds(10)),
                new JdbcClusterStore(database.connections(), TableNames.DEFAULT),
                new JdbcStores(database.connections()).claims());
        try (Relay relay = Relay.on(stores, RelayConfig.of("node").withStrategy(strategy))
                .destination("there", destination)
                .build()
                .start()) {
            assertThat(relay).isNotNull();
            awaitDelivered(destination::eventIds);
            awaitSettled();
        }
    }

    @Test
    void aDispatcherDeliversEveryOtherEvent() throws SQLException {
        Queue<String> delivered = new ConcurrentLinkedQueue<>();
        try (Outbox outbox = JdbcOutbox.builder(database.dataSource(), new ThreadLocalTxContext())
                .config(new OutboxConfig().setPollerIntervalMs(200))
                .onAll(event -> delivered.add(event.eventId()))
                .build()) {
            assertThat(outbox).isNotNull();
            awaitDelivered(() -> List.copyOf(delivered));
            awaitSettled();
        }
    }

    @Test
    void peopleSeeEveryRowAndCanDoSomethingAboutIt() {
        List<String> ids = rows.stream().map(OddRow::eventId).toList();

        assertThat(listed(EventFilter.ALL)).containsAll(ids).containsAll(good);
        for (EventFilter.State state : EventFilter.State.values()) {
            listed(EventFilter.ALL.withState(state));
        }
        for (OddRow row : rows) {
            assertThat(fixture.operatorStore().find(row.eventId()))
                    .as(row.label())
                    .isPresent();
            fixture.operatorStore().history(row.eventId());
            fixture.operatorStore().lane(row.eventId(), 10);
        }
        assertThat(fixture.statisticsStore().statistics(1_000)).isNotNull();
        OperatorAction act = new OperatorAction("operator", "test");
        for (OddRow row : rows) {
            Selection itself = new Selection.Ids(List.of(row.eventId()));
            fixture.operatorStore().discard(itself, null, 1, act);
            fixture.operatorStore().replay(itself, null, 1, act);
        }
    }

    // ---- helpers -------------------------------------------------------------------------------------------------

    private List<String> listed(EventFilter filter) {
        List<String> all = new ArrayList<>();
        String next = null;
        int pages = 0;
        do {
            EventPage page = fixture.operatorStore().events(new EventQuery(filter, next, 25));
            page.events().forEach(event -> all.add(event.eventId()));
            next = page.next();
            assertThat(++pages).as("pages of " + filter).isLessThan(100);
        } while (next != null);
        assertThat(all).doesNotHaveDuplicates();
        return all;
    }

    private void awaitDelivered(Supplier<List<String>> delivered) {
        Await.until(
                "all good events are delivered", PATIENCE, () -> delivered.get().containsAll(good));
    }

    private void awaitSettled() throws SQLException {
        List<String> waiting =
                rows.stream().filter(OddRow::waits).map(OddRow::eventId).toList();
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<String> left = List.of();
        do {
            left = strings("SELECT event_id FROM outbox_event WHERE status IN (0, 2)");
            left.removeAll(waiting);
        } while (!left.isEmpty() && System.nanoTime() - end < 0);
        List<String> pending = left;
        assertThat(rows)
                .filteredOn(row -> pending.contains(row.eventId()))
                .extracting(OddRow::label)
                .as("rows that wait")
                .isEmpty();
        assertThat(strings("SELECT event_id FROM outbox_event WHERE status < 0 OR status > 3"))
                .isEmpty();
        assertThat(strings("SELECT event_id FROM outbox_event WHERE status = 3 AND last_error IS NULL"))
                .as("dead without a reason")
                .hasSizeLessThanOrEqualTo(2);
    }

    private List<String> publish(int count) {
        List<EventEnvelope> events = IntStream.range(0, count)
                .mapToObj(n -> EventEnvelope.builder("Good")
                        .orderingKey("good-" + n)
                        .payloadJson("{}")
                        .build())
                .toList();
        try (StoreFixture.Session session = fixture.newSession()) {
            session.begin();
            session.store().store(events, null);
            session.commit();
        }
        return events.stream().map(EventEnvelope::eventId).toList();
    }

    private List<String> strings(String sql) throws SQLException {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return Sql.strings(rows);
        }
    }
}
