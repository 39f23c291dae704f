package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.model.Outcome;
import outbox.relay.ClusterConfig;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.spi.TimeSource;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUp;
import outbox.testkit.Await;
import outbox.testkit.RecordingDestination;
import outbox.testkit.StoreFixture;

/**
 * A second node joins and leaves while events of every slot flow: no event waits for half a heartbeat, and none arrives
 * twice. Heartbeats are slower here than they are by default, so that a busy machine does not decide; {@code ./catbox chaos
 * --form times} measures moves with the default, and {@code RelayClusterTest} drives them in a time of its own.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PostgresPlannedMoveIT {

    private static final int MOVES = 3;

    private static final Duration HEARTBEAT = Duration.ofSeconds(4);

    private static final Duration DELAY_MAX = HEARTBEAT.dividedBy(2);

    private final Map<String, Long> delivered = new ConcurrentHashMap<>();
    private final Map<String, Long> committed = new ConcurrentHashMap<>();

    @Test
    void aPlannedMoveDelaysAKeyByLessThanHalfAHeartbeat() throws Exception {
        List<Duration> delays = new ArrayList<>();
        try (TestDatabase database = TestDatabase.postgres()) {
            new SchemaInstaller(database.connections()).install();
            try (Relay staying = relay(database, "staying")) {
                staying.start();
                Await.until(
                        "one node has all slots",
                        () -> staying.status().partitions().size() == 6);
                CountDownLatch stop = new CountDownLatch(1);
                Thread publisher = Thread.ofPlatform().start(() -> publishUntil(stop, database));
                for (int move = 0; move < MOVES; move++) {
                    long begun = TimeSource.SYSTEM.nanoTime();
                    try (Relay joining = relay(database, "joining")) {
                        joining.start();
                        Await.until(
                                "each node has half of the slots",
                                () -> joining.status().partitions().size() == 3
                                        && staying.status().partitions().size() == 3);
                    }
                    Await.until(
                            "one node has all slots",
                            () -> staying.status().partitions().size() == 6);
                    delays.add(longestSince(begun));
                }
                stop.countDown();
                publisher.join();
                Await.until("all are delivered", () -> delivered.keySet().containsAll(committed.keySet()));
            }
        }
        System.out.println("longest delays of an event while a node joined and left: " + delays);
        Collections.sort(delays);
        assertThat(delays.get(MOVES / 2)).as("%s", delays).isLessThan(DELAY_MAX);
    }

    private Relay relay(TestDatabase database, String name) {
        RelayStores stores = new RelayStores(
                new JdbcPartitionStore(
                        database.connections(), TableNames.DEFAULT, TimeSource.SYSTEM, Duration.ofSeconds(10)),
                new JdbcClusterStore(database.connections(), TableNames.DEFAULT),
                new JdbcStores(database.connections()).claims());
        RecordingDestination destination = new RecordingDestination();
        destination.answer(delivery -> {
            delivered.merge(delivery.event().eventId(), TimeSource.SYSTEM.nanoTime(), (first, second) -> {
                throw new AssertionError(delivery + " arrived twice");
            });
            return new Outcome.Delivered();
        });
        RelayConfig config = RelayConfig.of(name)
                .withCluster(ClusterConfig.of(name).withHeartbeat(HEARTBEAT, HEARTBEAT.multipliedBy(10)));
        return Relay.on(stores, config)
                .destination("there", destination)
                .channel(new PostgresWakeUpChannel(database.connections()))
                .build();
    }

    /** Events of 24 keys, some of every slot, a hundred a second. */
    private void publishUntil(CountDownLatch stop, TestDatabase database) {
        JdbcStoreFixture fixture = JdbcStoreFixture.on(database);
        PostgresWakeUpChannel channel = new PostgresWakeUpChannel(database.connections());
        try (StoreFixture.Session session = fixture.newSession()) {
            for (int n = 0; !stop.await(10, TimeUnit.MILLISECONDS); n++) {
                EventEnvelope event = EventEnvelope.builder("A")
                        .orderingKey("key-" + n % 24)
                        .payloadJson("{}")
                        .build();
                session.begin();
                session.store().store(List.of(event), null);
                session.commit();
                committed.put(event.eventId(), TimeSource.SYSTEM.nanoTime());
                channel.send(WakeUp.ANY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            channel.close();
        }
    }

    private Duration longestSince(long begun) {
        Await.until("what was committed so far is delivered", () -> {
            List<String> ids = List.copyOf(committed.keySet());
            return delivered.keySet().containsAll(ids);
        });
        long longest = 0;
        for (Map.Entry<String, Long> event : committed.entrySet()) {
            Long arrived = delivered.get(event.getKey());
            if (arrived != null && event.getValue() - begun > 0) {
                longest = Math.max(longest, arrived - event.getValue());
            }
        }
        return Duration.ofNanos(longest);
    }
}
