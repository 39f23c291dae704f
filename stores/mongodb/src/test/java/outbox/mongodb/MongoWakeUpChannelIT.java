package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.devservices.MongoDb;
import catbox.devservices.MongoDbServer;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertOneOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.OutboxException;
import outbox.internal.KeyHash;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.MongoPublishStore;
import outbox.mongodb.internal.event.SettleUpdates;
import outbox.spi.relay.WakeUp;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MongoWakeUpChannelIT {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);

    private TestMongo mongo;
    private MongoWakeUpChannel channel;

    @BeforeEach
    void open() {
        mongo = TestMongo.open().installed();
        channel = new MongoWakeUpChannel(mongo.source());
    }

    @AfterEach
    void close() {
        if (mongo != null) {
            channel.close();
            mongo.close();
        }
    }

    @Test
    void beginsWithAnyBecauseThereWasNoListenerBefore() throws InterruptedException {
        assertThat(channel.receive(LONG)).containsExactly(WakeUp.ANY);
        assertThat(channel.receive(SHORT)).isEmpty();
    }

    @Test
    void reportsCommitsAndTheirLanes() throws InterruptedException {
        channel.receive(LONG);
        Publisher publisher = new Publisher(mongo.client(), mongo.source());

        publisher.publish("a");
        assertThat(channel.receive(LONG)).containsExactly(new WakeUp(Set.of(KeyHash.of("a"))));
        publisher.publish("b");
        publisher.publish("c");

        Set<Integer> lanes = new HashSet<>();
        while (lanes.size() < 2) {
            channel.receive(LONG).forEach(wakeUp -> lanes.addAll(wakeUp.lanes()));
        }
        assertThat(lanes).containsExactlyInAnyOrder(KeyHash.of("b"), KeyHash.of("c"));
    }

    @Test
    void reportsAnyLaneWhenAnotherProgramWroteNoHash() throws InterruptedException {
        channel.receive(LONG);

        mongo.source()
                .collections()
                .events()
                .insertOne(
                        new Document(Field.ID, "foreign").append(Field.KEY_HASH, 1L),
                        new InsertOneOptions().bypassDocumentValidation(true));

        assertThat(channel.receive(LONG)).containsExactly(WakeUp.ANY);
    }

    @Test
    void reportsNothingBeforeItIsCommitted() throws InterruptedException {
        channel.receive(LONG);
        ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
        OutboxClient client = OutboxClient.storeOnly(new MongoPublishStore(context, mongo.source()));
        try (ClientSession session = mongo.client().startSession()) {
            session.startTransaction(MongoSource.TRANSACTION);
            context.bind(session);
            client.publish(EventEnvelope.ofJson("A", "{}"));

            assertThat(channel.receive(SHORT)).isEmpty();
            session.commitTransaction();
        }
        assertThat(channel.receive(LONG)).hasSize(1);
    }

    @Test
    void reportsNoSettlements() throws InterruptedException {
        channel.receive(LONG);
        Publisher publisher = new Publisher(mongo.client(), mongo.source());
        String id = publisher.publish("a");
        channel.receive(LONG);

        mongo.source().collections().events().bulkWrite(List.of(SettleUpdates.done(Filters.eq(id), new Document())));

        assertThat(channel.receive(SHORT)).isEmpty();
    }

    @Test
    void listensAgainAfterItsServerWasRestarted() throws InterruptedException {
        TestMongo.requireServer();
        try (MongoDb server = MongoDbServer.start();
                TestMongo own = TestMongo.on(server.uri()).installed();
                MongoWakeUpChannel onOwn = new MongoWakeUpChannel(own.source())) {
            assertThat(onOwn.receive(LONG)).containsExactly(WakeUp.ANY);
            server.kill();
            server.start();
            new Publisher(own.client(), own.source()).publish("a");

            assertThat(receiveAfterFailures(onOwn)).isNotEmpty();
        }
    }

    /** The driver may have resumed the stream, or given it up: then the next one begins with "any". */
    private static List<WakeUp> receiveAfterFailures(MongoWakeUpChannel from) throws InterruptedException {
        List<WakeUp> received = List.of();
        for (int tries = 0; tries < 20 && received.isEmpty(); tries++) {
            try {
                received = from.receive(LONG);
            } catch (OutboxException reported) {
                assertThat(reported).hasMessageContaining("listen for wake-ups");
            }
        }
        return received;
    }

    /** A stream whose collection is gone ends without an exception, and would never tell of anything again. */
    @Test
    void saysThatItsStreamHasEndedAndOpensAnother() throws InterruptedException {
        channel.receive(LONG);
        mongo.source().collections().events().drop();

        assertThat(failureOfReceiving()).hasMessageContainingAll("listen for wake-ups", "outbox_event");
        mongo.installed();
        assertThat(receiveAfterFailures(channel)).containsExactly(WakeUp.ANY);
        new Publisher(mongo.client(), mongo.source()).publish("a");
        assertThat(channel.receive(LONG)).containsExactly(new WakeUp(Set.of(KeyHash.of("a"))));
    }

    private OutboxException failureOfReceiving() throws InterruptedException {
        for (int tries = 0; tries < 20; tries++) {
            try {
                channel.receive(SHORT);
            } catch (OutboxException reported) {
                return reported;
            }
        }
        throw new AssertionError("nothing was reported");
    }

    @Test
    void goesOnWhereAStreamThatBrokeHadCome() throws InterruptedException {
        TestMongo.requireServer();
        try (MongoDb server = MongoDbServer.start(Map.of("enableTestCommands", "1"));
                TestMongo own = TestMongo.on(server.uri()).installed();
                MongoWakeUpChannel onOwn = new MongoWakeUpChannel(own.source())) {
            onOwn.receive(LONG);
            Publisher publisher = new Publisher(own.client(), own.source());
            publisher.publish("a");
            onOwn.receive(LONG);
            // An error that the driver does not resume after.
            own.client()
                    .getDatabase("admin")
                    .runCommand(new Document("configureFailPoint", "failCommand")
                            .append("mode", new Document("times", 1))
                            .append("data", new Document("failCommands", List.of("getMore")).append("errorCode", 8)));
            assertThatThrownBy(() -> onOwn.receive(LONG)).isInstanceOf(OutboxException.class);
            publisher.publish("b");

            assertThat(onOwn.receive(LONG))
                    .as("what was published meanwhile, and not only that there may be something")
                    .containsExactly(new WakeUp(Set.of(KeyHash.of("b"))));
        }
    }

    @Test
    void doesNotWaitForeverForAServerThatDoesNotAnswer() throws InterruptedException {
        TestMongo.requireServer();
        try (MongoDb server = MongoDbServer.start();
                TestMongo own = TestMongo.on(server.uri()).installed();
                MongoWakeUpChannel onOwn = new MongoWakeUpChannel(own.source())) {
            onOwn.receive(LONG);
            server.pause();
            try {
                assertThatThrownBy(() -> onOwn.receive(LONG))
                        .isInstanceOf(OutboxException.class)
                        .hasMessageContaining("listen for wake-ups");
            } finally {
                server.resume();
            }
            new Publisher(own.client(), own.source()).publish("a");
            assertThat(receiveAfterFailures(onOwn)).isNotEmpty();
        }
    }

    @Test
    void endsWaitingWhenItIsClosed() throws Exception {
        channel.receive(LONG);
        CompletableFuture<List<WakeUp>> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return channel.receive(LONG);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        channel.close();
        // Closed before or while it waits: either way it ends.
        assertThat(waiting.handle((received, failure) ->
                                failure == null || failure.getCause() instanceof IllegalStateException)
                        .get(10, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void anInterruptEndsWaiting() throws InterruptedException {
        channel.receive(LONG);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> channel.receive(LONG)).isInstanceOf(InterruptedException.class);
    }
}
