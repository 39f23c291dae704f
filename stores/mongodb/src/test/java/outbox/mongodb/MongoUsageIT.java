package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxClient;
import outbox.model.EventStatus;
import outbox.relay.FileDestination;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.Selection;
import outbox.spi.relay.RelayStores;

/** The store as the documentation shows it, compiled and run. */
@Timeout(120)
class MongoUsageIT {

    private TestMongo mongo;
    private MongoClient client;
    private String database;

    @TempDir
    Path folder;

    @BeforeEach
    void open() {
        mongo = TestMongo.open();
        client = mongo.client();
        database = mongo.source().databaseName();
    }

    @AfterEach
    void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @Test
    void deliversWithinTheApplication() throws Exception {
        CompletableFuture<EventEnvelope> delivered = new CompletableFuture<>();
        MongoCollection<Document> orders = client.getDatabase(database).getCollection("orders");
        // tag::outbox[]
        MongoSource source = new MongoSource(client, database);
        new MongoSchema(source).install();

        ThreadLocalMongoTxContext txContext = new ThreadLocalMongoTxContext();
        MongoTransactions transactions = new MongoTransactions(client, txContext);
        Outbox outbox = MongoOutbox.builder(source, txContext)
                .on("OrderPlaced", delivered::complete)
                .build();

        transactions.run(session -> {
            orders.insertOne(session, new Document("_id", 1001).append("item", "a cat box"));
            outbox.publish(EventEnvelope.builder("OrderPlaced")
                    .aggregateId("order-1001")
                    .payloadJson("{\"orderId\":1001}")
                    .build()); // Stored in the same transaction; delivered once it has committed.
        });
        // end::outbox[]
        assertThat(delivered.get(30, TimeUnit.SECONDS).payloadJson()).isEqualTo("{\"orderId\":1001}");
        outbox.close();
    }

    @Test
    void deliversThroughARelay() throws Exception {
        Path file = folder.resolve("events.jsonl");
        MongoSource source = new MongoSource(client, database);
        new MongoSchema(source).install();
        // tag::relay[]
        RelayStores stores = new MongoStores(source).relay();

        Relay relay = Relay.on(stores, RelayConfig.of("node-1"))
                .destination("archive", new FileDestination(file))
                .channel(new MongoWakeUpChannel(source))
                .build()
                .start();

        // In the applications, wherever they run:
        ThreadLocalMongoTxContext txContext = new ThreadLocalMongoTxContext();
        OutboxClient publisher = OutboxClient.storeOnly(new MongoStores(source).publishing(txContext));
        // end::relay[]
        EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{\"orderId\":1}");
        new MongoTransactions(client, txContext).run(session -> publisher.publish(event));
        OperatorStore operator = new MongoStores(source).operations();
        Pause.until(
                "it is done", () -> operator.find(event.eventId()).orElseThrow().status() == EventStatus.DONE);
        relay.close();
        assertThat(Files.readString(file)).contains("\"payload\":{\"orderId\":1}");
    }

    @Test
    void isOperated() {
        MongoSource source = new MongoSource(client, database);
        // tag::operate[]
        MongoSchema schema = new MongoSchema(source);
        schema.install();
        schema.expireDone(Duration.ofDays(7)); // or: .retention(new MongoStores(source).retention(), …) of the relay

        OperatorStore operator = new MongoStores(source).operations();
        EventFilter dead = EventFilter.ALL.withState(EventFilter.State.DEAD);
        operator.events(new EventQuery(dead.withEventType("OrderPlaced"), null, 50));
        Selection refused = new Selection.Matching(dead.withError("*refused*"));
        operator.replay(refused, null, 1_000, new OperatorAction("anna", "the broker accepts them again"));
        // end::operate[]
        assertThat(new MongoStores(source).statistics().statistics(10).pending().counted())
                .isZero();
    }
}
