package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.MongoDb;
import catbox.devservices.MongoDbReplicaSet;
import catbox.devservices.MongoDbServer;
import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.OutboxException;
import outbox.model.EventStatus;
import outbox.mongodb.internal.event.MongoClaimStore;
import outbox.mongodb.internal.operations.MongoOperatorStore;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.relay.ClusterConfig;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.spi.relay.RelayStores;
import outbox.testkit.RecordingDestination;

/**
 * A replica set of three whose primary is killed while applications publish and a relay delivers. Once in the gate; the
 * long form, {@code -Dcatbox.mongodb.kills=20 -Dcatbox.mongodb.freezes=5}, kills more often, and freezes it, which
 * takes everybody half a minute to notice.
 */
class MongoFailoverIT {

    private static final int KILLS = Integer.getInteger("catbox.mongodb.kills", 1);
    private static final int FREEZES = Integer.getInteger("catbox.mongodb.freezes", 0);
    private static final int KEYS = 3;

    /** By default the driver waits for an answer forever, even when the server is frozen. */
    private static final String IMPATIENT = "&timeoutMS=10000";

    private static final int EVENTS_BETWEEN = 20;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void losesNothingAndKeepsTheOrderOfEachKey() throws Exception {
        TestMongo.requireServer();
        RecordingDestination destination = new RecordingDestination();
        try (MongoDbReplicaSet servers = MongoDbServer.startThree();
                TestMongo mongo = TestMongo.on(servers.uri() + IMPATIENT).installed()) {
            Publisher publisher = new Publisher(mongo.client(), mongo.source());
            try (Relay relay = relay(mongo, destination)) {
                AtomicBoolean stop = new AtomicBoolean();
                List<Thread> writers = IntStream.range(0, KEYS)
                        .mapToObj(key -> Thread.ofPlatform().daemon().start(() -> {
                            while (!stop.get()) {
                                publishOrGoOn(publisher, "key-" + key);
                            }
                        }))
                        .toList();
                for (int kill = 0; kill < KILLS; kill++) {
                    MongoDb primary = servers.primary();
                    disturb(servers, publisher, primary::kill);
                    primary.start();
                }
                for (int freeze = 0; freeze < FREEZES; freeze++) {
                    MongoDb primary = servers.primary();
                    disturb(servers, publisher, primary::pause);
                    primary.resume();
                }
                stop.set(true);
                for (Thread writer : writers) {
                    assertThat(writer.join(Duration.ofMinutes(2))).isTrue();
                }
                MongoOperatorStore operator = new MongoOperatorStore(mongo.source());
                Pause.until(
                        "all events are done",
                        () -> publisher.committed().stream()
                                .allMatch(id -> operator.find(id).orElseThrow().status() == EventStatus.DONE));
                assertThat(relay.status().partitions()).hasSize(RelayConfig.PARTITIONS_DEFAULT);
            }
            assertDelivered(publisher, destination);
        }
    }

    /** An application that does not know what became of one event goes on with the next. */
    private static void publishOrGoOn(Publisher publisher, String key) {
        try {
            publisher.publish(key);
        } catch (MongoException | OutboxException serverIsGone) {
            Thread.onSpinWait();
        }
    }

    private static void disturb(MongoDbReplicaSet servers, Publisher publisher, Runnable disturbance) {
        awaitMore(publisher);
        disturbance.run();
        servers.primary();
        awaitMore(publisher);
    }

    private static void awaitMore(Publisher publisher) {
        int before = publisher.committed().size();
        Pause.until("applications publish", () -> publisher.committed().size() >= before + EVENTS_BETWEEN);
    }

    private static void assertDelivered(Publisher publisher, RecordingDestination destination) {
        List<String> firsts = destination.eventIds().stream().distinct().toList();
        assertThat(firsts).containsAll(publisher.committed());
        for (int key = 0; key < KEYS; key++) {
            List<String> committed = publisher.committed("key-" + key);
            assertThat(firsts.stream().filter(committed::contains)).containsExactlyElementsOf(committed);
        }
    }

    private static Relay relay(TestMongo mongo, RecordingDestination destination) {
        RelayStores stores = new RelayStores(
                new MongoPartitionStore(mongo.source()),
                new MongoClusterStore(mongo.source()),
                new MongoClaimStore(mongo.source()));
        RelayConfig config = RelayConfig.of("node")
                .withCluster(ClusterConfig.of("node").withHeartbeat(Duration.ofMillis(500), Duration.ofSeconds(5)));
        return Relay.on(stores, config)
                .destination("there", destination)
                .channel(new MongoWakeUpChannel(mongo.source()))
                .build()
                .start();
    }
}
