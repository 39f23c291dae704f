package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.MongoDb;
import catbox.devservices.MongoDbServer;
import com.mongodb.client.ClientSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.EventStatus;
import outbox.mongodb.internal.event.MongoClaimStore;
import outbox.mongodb.internal.event.MongoPublishStore;
import outbox.mongodb.internal.operations.MongoOperatorStore;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.relay.ClusterConfig;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.RelayStores;
import outbox.testkit.RecordingDestination;

/** A whole relay at work on a real replica set. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MongoRelayIT {

    private TestMongo mongo;
    private MongoDb server;
    private Relay relay;
    private final RecordingDestination destination = new RecordingDestination();

    @AfterEach
    void close() {
        if (relay != null) {
            relay.close();
        }
        if (mongo != null) {
            mongo.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource(ClaimStrategy.class)
    void deliversAndSettlesEverything(ClaimStrategy strategy) {
        mongo = TestMongo.open().installed();
        Publisher publisher = new Publisher(mongo.client(), mongo.source());
        for (int n = 0; n < 30; n++) {
            publisher.publish("key-" + n % 7);
        }
        start(config().withStrategy(strategy));
        for (int n = 0; n < 30; n++) {
            publisher.publish("key-" + n % 7);
        }
        awaitDone(publisher);

        assertThat(destination.eventIds()).containsExactlyInAnyOrderElementsOf(publisher.committed());
        if (strategy.usesPartitions()) {
            assertInOrder(publisher);
        }
    }

    @Test
    void isWokenByACommitAndDoesNotWaitForItsPoll() {
        mongo = TestMongo.open().installed();
        Publisher publisher = new Publisher(mongo.client(), mongo.source());
        RelayConfig seldom =
                config().withClaim(RelayConfig.ClaimConfig.defaults().withPollMax(Duration.ofHours(1)));
        Relay started = start(seldom);
        Pause.until(
                "all slots are owned", () -> started.status().partitions().size() == RelayConfig.PARTITIONS_DEFAULT);
        for (int n = 0; n < 20; n++) {
            publisher.publish("key-" + n);
            awaitDone(publisher);
        }
    }

    @Test
    void deliversAnEventThatWasCommittedLateInItsPlace() {
        mongo = TestMongo.open().installed();
        Publisher publisher = new Publisher(mongo.client(), mongo.source());
        ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
        OutboxClient client = OutboxClient.storeOnly(new MongoPublishStore(context, mongo.source()));
        EventEnvelope late =
                EventEnvelope.builder("Late").orderingKey("k").payloadJson("{}").build();
        start(config());
        try (ClientSession session = mongo.client().startSession()) {
            session.startTransaction(MongoSource.TRANSACTION);
            context.bind(session);
            client.publish(late);
            String before = publisher.publish("k");
            awaitDone(publisher);
            session.commitTransaction();
            context.committed();
            String after = publisher.publish("k"); // Inserted after the late one was committed.
            awaitDone(publisher);
            Pause.until("the late event is done", () -> isDone(late.eventId()));

            assertThat(destination.eventIds()).containsExactly(before, late.eventId(), after);
        }
    }

    @Test
    void goesOnByItselfWhenItsServerIsKilledAndStartedAgain() {
        TestMongo.requireServer();
        server = MongoDbServer.start();
        mongo = TestMongo.on(server.uri()).installed();
        Publisher publisher = new Publisher(mongo.client(), mongo.source());
        start(config());
        for (int n = 0; n < 20; n++) {
            publisher.publish("key-" + n % 3);
        }
        awaitDone(publisher);
        server.kill();
        server.start();
        for (int n = 0; n < 20; n++) {
            publisher.publish("key-" + n % 3);
        }
        awaitDone(publisher);

        assertThat(destination.eventIds()).containsAll(publisher.committed());
        assertInOrder(publisher);
    }

    private Relay start(RelayConfig config) {
        RelayStores stores = new RelayStores(
                new MongoPartitionStore(mongo.source()),
                new MongoClusterStore(mongo.source()),
                new MongoClaimStore(mongo.source()));
        relay = Relay.on(stores, config)
                .destination("there", destination)
                .channel(new MongoWakeUpChannel(mongo.source()))
                .build()
                .start();
        return relay;
    }

    private static RelayConfig config() {
        return RelayConfig.of("node")
                .withCluster(ClusterConfig.of("node").withHeartbeat(Duration.ofMillis(500), Duration.ofSeconds(5)));
    }

    private void awaitDone(Publisher publisher) {
        Pause.until("all events are done", () -> publisher.committed().stream().allMatch(this::isDone));
    }

    private boolean isDone(String id) {
        return new MongoOperatorStore(mongo.source())
                .find(id)
                .filter(event -> event.status() == EventStatus.DONE)
                .isPresent();
    }

    /** Each was first delivered before the next of its key, which was inserted after its commit. */
    private void assertInOrder(Publisher publisher) {
        List<String> firsts = destination.eventIds().stream().distinct().toList();
        for (int n = 0; n < 7; n++) {
            List<String> committed = publisher.committed("key-" + n);
            assertThat(firsts.stream().filter(committed::contains)).containsExactlyElementsOf(committed);
        }
    }
}
