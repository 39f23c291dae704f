package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import catbox.devservices.MongoDb;
import catbox.devservices.MongoDbServer;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.NoTransactionException;
import outbox.OutboxClient;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.mongodb.internal.event.MongoClaimStore;
import outbox.mongodb.internal.event.MongoPublishStore;
import outbox.mongodb.internal.operations.MongoOperatorStore;
import outbox.spi.ClaimRequest;
import outbox.spi.HotPath;
import outbox.testkit.Await;

/** What is handed over is what was committed, once, however often a transaction was tried. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class MongoTransactionsIT {

    private MongoDb server;
    private TestMongo mongo;
    private ThreadLocalMongoTxContext context;
    private MongoTransactions transactions;
    private RecordingHotPath hotPath;
    private OutboxClient client;

    /** Writes down what was handed over. */
    private static final class RecordingHotPath implements HotPath {

        private final List<EventEnvelope> handedOver = new CopyOnWriteArrayList<>();

        @Override
        public Handover prepare() {
            return new Handover() {
                @Override
                public @Nullable ClaimTerms claim() {
                    return null;
                }

                @Override
                public void committed(List<EventEnvelope> events) {
                    handedOver.addAll(events);
                }
            };
        }
    }

    @BeforeAll
    void start() {
        TestMongo.requireServer();
        server = MongoDbServer.start(Map.of("enableTestCommands", "1"));
        mongo = TestMongo.on(server.uri()).installed();
        mongo.client().getDatabase(mongo.source().databaseName()).createCollection("orders");
    }

    @AfterAll
    void stop() {
        if (server != null) {
            mongo.close();
            server.close();
        }
    }

    @BeforeEach
    void prepare() {
        context = new ThreadLocalMongoTxContext();
        transactions = new MongoTransactions(mongo.client(), context);
        hotPath = new RecordingHotPath();
        client = new OutboxClient(new MongoPublishStore(context, mongo.source()), hotPath);
        orders().deleteMany(new Document());
        orders().insertOne(new Document("_id", 1).append("n", 0));
    }

    @AfterEach
    void mend() {
        fail(new Document("configureFailPoint", "failCommand").append("mode", "off"));
    }

    @Test
    void storesTheEventAndTheDataTogether() {
        EventEnvelope event = event();

        transactions.run(session -> {
            orders().updateOne(session, Filters.eq(1), Updates.inc("n", 1));
            client.publish(event);
        });

        assertThat(orders().find().first().getInteger("n")).isEqualTo(1);
        assertThat(isStored(event)).isTrue();
        assertThat(hotPath.handedOver).containsExactly(event);
    }

    @Test
    void storesNeitherWhenTheWorkFails() {
        EventEnvelope event = event();
        List<String> ran = new ArrayList<>();

        assertThatThrownBy(() -> transactions.run(session -> {
                    orders().updateOne(session, Filters.eq(1), Updates.inc("n", 1));
                    client.publish(event);
                    context.afterRollback(() -> ran.add("rolled back"));
                    throw new IllegalStateException("the card is refused");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the card is refused");

        assertThat(orders().find().first().getInteger("n")).isZero();
        assertThat(isStored(event)).isFalse();
        assertThat(hotPath.handedOver).isEmpty();
        assertThat(ran).containsExactly("rolled back");
        assertThat(context.isTransactionActive()).isFalse();
    }

    @Test
    void refusesToPublishOutsideATransaction() {
        assertThatThrownBy(() -> client.publish(event())).isInstanceOf(NoTransactionException.class);
        transactions.run(session -> {
            session.abortTransaction();
            assertThatThrownBy(() -> client.publish(event())).isInstanceOf(NoTransactionException.class);
            session.startTransaction();
        });
    }

    @Test
    void handsOverOnceWhatAConflictMadeItDoTwice() {
        EventEnvelope event = event();
        List<String> ran = new ArrayList<>();

        transactions.run(session -> {
            String attempt = "attempt " + (ran.size() + 1);
            ran.add(attempt);
            context.afterRollback(() -> ran.add(attempt + " rolled back"));
            client.publish(event);
            if (ran.size() == 1) {
                // Somebody else is faster: what this transaction writes next is a conflict.
                orders().updateOne(Filters.eq(1), Updates.inc("n", 10));
            }
            orders().updateOne(session, Filters.eq(1), Updates.inc("n", 1));
        });

        assertThat(ran).containsExactly("attempt 1", "attempt 1 rolled back", "attempt 3");
        assertThat(orders().find().first().getInteger("n")).isEqualTo(11);
        assertThat(hotPath.handedOver).containsExactly(event);
        assertThat(isStored(event)).isTrue();
    }

    @Test
    void doesItAgainWhenTheConflictIsInThePublishItself() {
        EventEnvelope event = event();
        List<Integer> attempts = new ArrayList<>();
        fail(failOnce(
                "update", new Document("errorCode", 112).append("errorLabels", List.of("TransientTransactionError"))));

        transactions.run(session -> {
            attempts.add(attempts.size());
            client.publish(event);
        });

        assertThat(attempts).hasSize(2);
        assertThat(hotPath.handedOver).containsExactly(event);
    }

    @Test
    void repeatsACommitWhoseReplyWasLost() {
        EventEnvelope event = event();
        List<Integer> attempts = new ArrayList<>();
        // The commit takes place, and the server answers that it cannot tell whether a majority has it.
        Document shutdown = new Document("code", 91).append("errmsg", "Replication is being shut down");
        fail(failOnce("commitTransaction", new Document("writeConcernError", shutdown)));

        transactions.run(session -> {
            attempts.add(attempts.size());
            client.publish(event);
        });

        assertThat(attempts).hasSize(1);
        assertThat(hotPath.handedOver).containsExactly(event);
        assertThat(isStored(event)).isTrue();
    }

    @Test
    void handsNothingOverWhileTheOutcomeOfTheCommitIsUnknown() {
        EventEnvelope event = event();
        List<String> ran = new ArrayList<>();
        fail(new Document("configureFailPoint", "failCommand")
                .append("mode", "alwaysOn")
                .append(
                        "data",
                        new Document("failCommands", List.of("commitTransaction"))
                                .append("errorCode", 50)
                                .append("errorLabels", List.of("UnknownTransactionCommitResult"))));

        assertThatThrownBy(() -> {
                    try (MongoTransactions.Transaction transaction = transactions.begin()) {
                        client.publish(event);
                        context.afterRollback(() -> ran.add("rolled back"));
                        transaction.commit();
                    }
                })
                .isInstanceOf(MongoException.class);

        assertThat(hotPath.handedOver).isEmpty();
        assertThat(ran).isEmpty();
        assertThat(context.isTransactionActive()).isFalse();
    }

    /** The server carries out the commit, and the thread that sent it was interrupted before it had the answer. */
    @Test
    void handsNothingOverAndRollsNothingBackWhenACommitIsInterrupted() throws InterruptedException {
        assertInterruptedCommit(work -> transactions.run(session -> work.run()));
    }

    @Test
    void handsNothingOverAndRollsNothingBackWhenACommitByHandIsInterrupted() throws InterruptedException {
        assertInterruptedCommit(work -> {
            try (MongoTransactions.Transaction transaction = transactions.begin()) {
                work.run();
                transaction.commit();
            }
        });
    }

    private void assertInterruptedCommit(Consumer<Runnable> transaction) throws InterruptedException {
        EventEnvelope event = event();
        List<String> ran = new CopyOnWriteArrayList<>();
        int before =
                fail(failOnce("commitTransaction", new Document("blockConnection", true).append("blockTimeMS", 2_000)));
        Thread committing = Thread.ofPlatform().start(() -> {
            try {
                transaction.accept(() -> {
                    client.publish(event);
                    context.afterRollback(() -> ran.add("rolled back"));
                });
            } catch (MongoException e) {
                ran.add("failed");
            }
        });
        awaitCommit(before + 1);
        committing.interrupt();
        committing.join();

        assertThat(ran).containsExactly("failed");
        assertThat(hotPath.handedOver).isEmpty();
        Await.until("it is committed after all", () -> isStored(event));
        assertThat(new MongoClaimStore(mongo.source())
                        .claim(new ClaimRequest(
                                new ClaimTerms("token", Duration.ofMinutes(1)), Duration.ZERO, 1_000, 1 << 20)))
                .extracting(OutboxEvent::eventId)
                .as("what the poller finds")
                .contains(event.eventId());
    }

    /** The server reports that the fail point was reached, so the test does not depend on time. */
    private void awaitCommit(int timesMet) {
        mongo.client()
                .getDatabase("admin")
                .runCommand(new Document("waitForFailPoint", "failCommand")
                        .append("timesEntered", timesMet)
                        .append("maxTimeMS", 30_000));
    }

    @Test
    void refusesWorkThatEndsItsTransactionItself() {
        EventEnvelope event = event();

        assertThatThrownBy(() -> transactions.run(session -> {
                    client.publish(event);
                    session.abortTransaction();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ended its transaction itself");

        assertThat(hotPath.handedOver).isEmpty();
        assertThat(isStored(event)).isFalse();
    }

    @Test
    void refusesATransactionWithinAnother() {
        transactions.run(session -> assertThatThrownBy(() -> transactions.run(inner -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("already"));
    }

    @Test
    void givesTheResultOfTheWork() {
        assertThat(transactions.<String>call(session -> client.publish(event())))
                .hasSize(26);
    }

    private static Document failOnce(String command, Document how) {
        return new Document("configureFailPoint", "failCommand")
                .append("mode", new Document("times", 1))
                .append("data", new Document(how).append("failCommands", List.of(command)));
    }

    /** Returns how often fail points were met before. */
    private int fail(Document failPoint) {
        return mongo.client()
                .getDatabase("admin")
                .runCommand(failPoint)
                .get("count", Number.class)
                .intValue();
    }

    private MongoCollection<Document> orders() {
        return mongo.client().getDatabase(mongo.source().databaseName()).getCollection("orders");
    }

    private boolean isStored(EventEnvelope event) {
        return new MongoOperatorStore(mongo.source()).find(event.eventId()).isPresent();
    }

    private static EventEnvelope event() {
        return EventEnvelope.ofJson("OrderPlaced", "{}");
    }
}
