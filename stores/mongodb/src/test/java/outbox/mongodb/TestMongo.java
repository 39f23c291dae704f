package outbox.mongodb;

import catbox.devservices.DevServices;
import catbox.devservices.MongoDbServer;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import outbox.internal.Ulids;

/** A database of a test class's own, on a real replica set. */
final class TestMongo implements AutoCloseable {

    private final MongoClient client;
    private final MongoSource source;

    private TestMongo(String uri) {
        this.client = MongoClients.create(uri);
        this.source = new MongoSource(client, "outbox_" + Ulids.SYSTEM.next());
    }

    /** On the shared server, or on the one that the environment names. */
    static TestMongo open() {
        if (MongoDbServer.givenUri().isEmpty()) {
            requireServer();
        }
        return new TestMongo(DevServices.mongoDbUri());
    }

    static TestMongo on(String uri) {
        return new TestMongo(uri);
    }

    /** Skips the test, loudly, where MongoDB cannot be had. */
    static void requireServer() {
        Optional<String> reason = MongoDbServer.unavailableReason();
        reason.ifPresent(why -> System.err.println("!!! SKIPPED: all tests with MongoDB. " + why));
        Assumptions.assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
    }

    MongoClient client() {
        return client;
    }

    MongoSource source() {
        return source;
    }

    TestMongo installed() {
        new MongoSchema(source).install();
        return this;
    }

    @Override
    public void close() {
        try (client) {
            client.getDatabase(source.databaseName()).drop();
        }
    }
}
