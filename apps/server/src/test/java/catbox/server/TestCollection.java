package catbox.server;

import catbox.devservices.DevServices;
import catbox.devservices.MongoDbServer;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import org.junit.jupiter.api.Assumptions;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.mongodb.CollectionNames;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStores;
import outbox.mongodb.MongoTransactions;
import outbox.mongodb.ThreadLocalMongoTxContext;

/** An application's side of a collection: it stores events, and looks what became of them. */
final class TestCollection implements AutoCloseable {

    private final MongoSource source;
    private final ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();

    TestCollection(String uri, String database) {
        this(uri, database, CollectionNames.DEFAULT.event());
    }

    TestCollection(String uri, String database, String collection) {
        this.source = new MongoSource(MongoClients.create(uri), database, new CollectionNames(collection));
    }

    /** The shared replica set, or the one that the environment names. */
    static String sharedUri() {
        if (MongoDbServer.givenUri().isEmpty()) {
            requireServer();
        }
        return DevServices.mongoDbUri();
    }

    /** Skips the test, loudly, where MongoDB cannot be had. */
    static void requireServer() {
        MongoDbServer.unavailableReason().ifPresent(why -> {
            System.err.println("!!! SKIPPED: the server with MongoDB. " + why);
            Assumptions.abort(why);
        });
    }

    MongoSource source() {
        return source;
    }

    MongoDatabase database() {
        return source.client().getDatabase(source.databaseName());
    }

    void publish(EventEnvelope event) {
        OutboxClient client = OutboxClient.storeOnly(new MongoStores(source).publishing(context));
        new MongoTransactions(source.client(), context).run(session -> client.publish(event));
    }

    void publish(String type, String key, String payload) {
        publish(EventEnvelope.builder(type)
                .aggregateId(key)
                .payloadJson(payload)
                .build());
    }

    /** Waits until so many events are done. */
    void awaitDone(int events) {
        Eventually.happens(
                events + " events are done",
                () -> database().getCollection(source.names().event()).countDocuments(Filters.eq("status", "COMPLETED"))
                        == events);
    }

    /** Together with its database. */
    @Override
    public void close() {
        try {
            database().drop();
        } finally {
            source.client().close();
        }
    }
}
