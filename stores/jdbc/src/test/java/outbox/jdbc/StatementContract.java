package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.DuplicateEventException;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.internal.KeyHash;
import outbox.jdbc.internal.event.EventTable;
import outbox.jdbc.internal.event.JdbcClaimStore;
import outbox.jdbc.internal.event.JdbcRetentionStore;
import outbox.jdbc.internal.operations.JdbcOperatorStore;
import outbox.jdbc.internal.operations.JdbcStatisticsStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.spi.ClaimRequest;
import outbox.spi.ConnectionProvider;
import outbox.spi.TimeSource;
import outbox.spi.TxContext;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;

/**
 * What the contract of all stores cannot reach. Nobody waits for anybody: not writers for claims, claims for writers,
 * nor a purge or a replay for either. And the database's clock may be set back.
 */
@Timeout(value = 30, unit = TimeUnit.SECONDS) // Below every database's own limit for lock waits, so that a wait shows.
abstract class StatementContract {

    private TestDatabase database;
    private final JdbcOutboxRepository repository = new JdbcOutboxRepository();

    abstract TestDatabase openDatabase();

    @BeforeEach
    void fill() throws SQLException {
        database = openDatabase();
        new SchemaInstaller(database.connections()).install();
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    @Test
    void writersGoOnWhileAClaimIsUnderWay() throws SQLException {
        publish(20);
        try (Connection claiming = connection()) {
            assertThat(claim(claiming, 10)).hasSize(10);
            publish(20);
            claiming.rollback();
        }
    }

    @Test
    void claimsGoOnWhileAWriterIsUnderWay() throws SQLException {
        publish(10);
        try (Connection writing = connection();
                Connection claiming = connection()) {
            repository.insertNew(writing, EventEnvelope.ofJson("Open", "{}"));
            assertThat(claim(claiming, 100)).hasSize(10);
            claiming.commit();
            writing.commit();
        }
    }

    @Test
    void claimsGoOnWhileAnotherClaimIsUnderWay() throws SQLException {
        publish(20);
        try (Connection one = connection();
                Connection other = connection()) {
            List<String> first = claim(one, 10);
            List<String> second = claim(other, 20);
            assertThat(second).hasSize(10).doesNotContainAnyElementsOf(first);
            one.commit();
            other.commit();
        }
    }

    @Test
    void aPurgePassesOverWhatSomebodyHasLocked() throws SQLException {
        List<String> ids = publish(5);
        database.execute("UPDATE outbox_event SET status = 1, done_at = created_at");
        try (Connection locking = connection()) {
            lock(locking, ids.get(0));
            assertThat(new JdbcRetentionStore(database.connections(), TableNames.DEFAULT).purgeDone(Duration.ZERO, 100))
                    .isEqualTo(4);
            publish(5);
        }
    }

    @Test
    void aReplayPassesOverWhatSomebodyHasLocked() throws SQLException {
        List<String> ids = publish(5);
        database.execute("UPDATE outbox_event SET status = 3, last_error = 'x'");
        try (Connection locking = connection()) {
            lock(locking, ids.get(0));
            Selection dead = new Selection.Matching(EventFilter.ALL.withState(EventFilter.State.DEAD));
            assertThat(new JdbcOperatorStore(
                                    database.connections(), TableNames.DEFAULT, JdbcOperatorStore.ROWS_PER_STATEMENT)
                            .replay(dead, null, 100, new OperatorAction("test", null))
                            .eventIds())
                    .hasSize(4);
        }
    }

    @Test
    void anEventKeepsItsPlaceThoughTheDatabasesClockWasSetBack() throws SQLException {
        List<String> ids = new ArrayList<>(publish(1));
        ids.addAll(publish(1)); // Of the same key.
        database.execute("UPDATE outbox_event SET created_at = '2100-01-01', available_at = '2100-01-01'"
                + " WHERE event_id = '" + ids.get(0) + "'");
        List<LanePage> lanes = new JdbcPartitionStore(
                        database.connections(), TableNames.DEFAULT, TimeSource.SYSTEM, Duration.ofSeconds(10))
                .fetchLanes(new LaneFetch(Set.of(KeyHash.of("key-0")), 10, 1 << 20));
        assertThat(lanes)
                .flatExtracting(LanePage::events)
                .extracting(pending -> pending.event().eventId())
                .containsExactlyElementsOf(ids);
    }

    @Test
    void aRefusedPublishAllLeavesNothingBehind() throws SQLException {
        List<String> ids = publish(1);
        List<EventEnvelope> events = IntStream.range(0, 250)
                .mapToObj(i -> EventEnvelope.builder("B")
                        .eventId(i == 150 ? ids.get(0) : "many-" + i)
                        .payloadJson("{}")
                        .build())
                .toList();
        try (Connection writing = connection()) {
            assertThatThrownBy(() ->
                            repository.publisher(new OnConnection(writing)).store(events, null))
                    .isInstanceOfSatisfying(
                            DuplicateEventException.class,
                            e -> assertThat(e.eventIds()).isEqualTo(ids));
            writing.commit(); // The business transaction decides, and it goes on.
        }
        assertThat(new JdbcStatisticsStore(database.connections(), TableNames.DEFAULT)
                        .statistics(1_000)
                        .pending()
                        .counted())
                .isEqualTo(1);
    }

    private Connection connection() throws SQLException {
        Connection conn = database.dataSource().getConnection();
        conn.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        conn.setAutoCommit(false);
        return conn;
    }

    private List<String> claim(Connection conn, int max) {
        ClaimTerms terms = new ClaimTerms("token-" + System.nanoTime(), Duration.ofMinutes(1));
        ConnectionProvider none = () -> {
            throw new AssertionError("the caller's transaction is asked");
        };
        return new JdbcClaimStore(none, new EventTable(TableNames.DEFAULT))
                .claim(conn, new ClaimRequest(terms, Duration.ZERO, max, 1 << 20)).stream()
                        .map(OutboxEvent::eventId)
                        .toList();
    }

    private record OnConnection(Connection currentConnection) implements TxContext {

        @Override
        public boolean isTransactionActive() {
            return true;
        }

        @Override
        public void afterCommit(Runnable callback) {}

        @Override
        public void afterRollback(Runnable callback) {}
    }

    private static void lock(Connection conn, String eventId) throws SQLException {
        try (Statement statement = conn.createStatement()) {
            statement
                    .executeQuery("SELECT * FROM outbox_event WHERE event_id = '" + eventId + "' FOR UPDATE")
                    .close();
        }
    }

    private List<String> publish(int count) throws SQLException {
        ThreadLocalTxContext context = new ThreadLocalTxContext();
        OutboxClient client = OutboxClient.storeOnly(repository.publisher(context));
        List<EventEnvelope> events = IntStream.range(0, count)
                .mapToObj(i -> EventEnvelope.builder("A")
                        .orderingKey("key-" + i)
                        .payloadJson("{}")
                        .build())
                .toList();
        new JdbcTransactionManager(database.connections(), context).run(conn -> client.publishAll(events));
        return events.stream().map(EventEnvelope::eventId).toList();
    }
}
