package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.model.Outcome;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.spi.relay.RelayStores;
import outbox.testkit.Await;
import outbox.testkit.RecordingDestination;
import outbox.testkit.StoreFixture;

/** The numbers of events go back under a relay at work, in each manner that PostgreSQL has. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PostgresRenumberingIT {

    private static final Duration PROMPTLY = Duration.ofSeconds(60);

    private final RecordingDestination destination = new RecordingDestination();
    private TestDatabase database;
    private Relay relay;

    @BeforeEach
    void open() {
        database = TestDatabase.postgres();
        new SchemaInstaller(database.connections()).install();
        RelayStores stores = new RelayStores(
                new JdbcPartitionStore(database.connections()),
                new JdbcClusterStore(database.connections()),
                new JdbcStores(database.connections()).claims());
        relay = Relay.on(stores, RelayConfig.of("node"))
                .destination("there", destination)
                .build()
                .start();
        Await.until("the relay has all slots", () -> relay.status().partitions().size() == 6);
    }

    @AfterEach
    void close() {
        relay.close();
        database.close();
    }

    @Test
    void theTableIsEmptiedAndItsNumbersStartAgain() {
        awaitDelivered(publish(15));
        database.execute("TRUNCATE outbox_event RESTART IDENTITY");

        awaitDelivered(publish(15));
        awaitAllDone();
    }

    @Test
    void theTableIsDroppedAndMadeAnew() {
        awaitDelivered(publish(15));
        database.execute("CREATE TABLE copy (LIKE outbox_event INCLUDING ALL); DROP TABLE outbox_event;"
                + " ALTER TABLE copy RENAME TO outbox_event");

        awaitDelivered(publish(15));
    }

    @Test
    void theSequenceIsResetWhileEventsAreInFlightAndWaitForTheirRetry() throws SQLException {
        destination.answer(delivery -> "key-0".equals(delivery.event().orderingKey())
                ? new Outcome.Retryable("later", Duration.ofMillis(500))
                : new Outcome.Delivered());
        List<EventEnvelope> before = publish(15);
        Await.until(
                "key-0 waits for its retry", () -> number("SELECT count(*) FROM outbox_event WHERE status = 2") > 0);
        destination.delayAnswers();
        List<EventEnvelope> inFlight = publish(6);
        Await.until("some are in flight", () -> !destination.delayed().isEmpty());
        database.execute("ALTER SEQUENCE outbox_event_seq_seq RESTART");
        List<EventEnvelope> after = publish(15);
        destination.answer(delivery -> new Outcome.Delivered());
        destination.releaseAll();

        awaitDelivered(after);
        awaitAllDone();
        assertThat(number("SELECT count(*) - count(DISTINCT seq) FROM outbox_event"))
                .as("events that share a number with another")
                .isGreaterThanOrEqualTo(15);
        assertThat(destination.eventIds())
                .containsAll(before.stream().map(EventEnvelope::eventId).toList())
                .containsAll(inFlight.stream().map(EventEnvelope::eventId).toList());
    }

    @Test
    void theTableIsEmptiedWhileAKeyWaitsForItsRetry() {
        awaitDelivered(publish(15));
        destination.answer(delivery -> new Outcome.Retryable("later", Duration.ofMinutes(10)));
        publish(6);
        Await.until(
                "all keys wait for their retry",
                () -> number("SELECT count(*) FROM outbox_event WHERE status = 2") == 3);
        database.execute("TRUNCATE outbox_event RESTART IDENTITY");
        destination.answer(delivery -> new Outcome.Delivered());

        awaitDelivered(publish(15));
        awaitAllDone();
    }

    @Test
    void theValueOfTheSequenceIsSet() {
        awaitDelivered(publish(15));
        database.execute("SELECT setval('outbox_event_seq_seq', 1, false)");

        awaitDelivered(publish(10));
        awaitAllDone();
    }

    /** Of three keys, by turns, each committed before the next. */
    private List<EventEnvelope> publish(int count) {
        JdbcStoreFixture fixture = JdbcStoreFixture.on(database);
        List<EventEnvelope> events = IntStream.range(0, count)
                .mapToObj(n -> EventEnvelope.builder("A")
                        .orderingKey("key-" + n % 3)
                        .payloadJson("{}")
                        .build())
                .toList();
        for (EventEnvelope event : events) {
            try (StoreFixture.Session session = fixture.newSession()) {
                session.begin();
                session.store().store(List.of(event), null);
                session.commit();
            }
        }
        return events;
    }

    private void awaitDelivered(List<EventEnvelope> events) {
        List<String> ids = events.stream().map(EventEnvelope::eventId).toList();
        Await.until("all are delivered", PROMPTLY, () -> destination.eventIds().containsAll(ids));
        for (int key = 0; key < 3; key++) {
            String name = "key-" + key;
            assertThat(destination.eventIds().stream().filter(ids::contains).distinct())
                    .containsSubsequence(events.stream()
                            .filter(event -> name.equals(event.orderingKey()))
                            .map(EventEnvelope::eventId)
                            .toList());
        }
    }

    private void awaitAllDone() {
        Await.until("all are done", PROMPTLY, () -> number("SELECT count(*) FROM outbox_event WHERE status <> 1") == 0);
    }

    private long number(String sql) {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
