package catbox.bench;

import catbox.devservices.MongoDb;
import catbox.devservices.MongoDbServer;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.InsertManyOptions;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import org.bson.BsonTimestamp;
import org.bson.Document;
import outbox.OutboxClient;
import outbox.internal.KeyHash;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStores;
import outbox.mongodb.MongoTransactions;
import outbox.mongodb.ThreadLocalMongoTxContext;
import outbox.spi.relay.RelayStores;

/** A replica set of one member, and the application's connections to it. */
final class MongoBench implements AutoCloseable {

    private static final int BUCKETS = 120;
    private static final int BATCH = 10_000;

    private final MongoDb server;
    private final MongoClient client;
    final MongoSource source;
    final ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
    final MongoTransactions transactions;

    MongoBench() {
        MongoDbServer.unavailableReason().ifPresent(reason -> {
            throw new IllegalStateException("the benchmark needs MongoDB. " + reason);
        });
        this.server = MongoDbServer.start();
        this.client = MongoClients.create(server.uri());
        this.source = new MongoSource(client, "bench");
        this.transactions = new MongoTransactions(client, context);
        // The tests' servers have a quarter of a gigabyte, so a drain would measure cache eviction.
        client.getDatabase("admin")
                .runCommand(new Document("setParameter", 1)
                        .append("wiredTigerEngineRuntimeConfig", "cache_size=" + cacheOfAnOrdinaryServer() + "MB"));
        new MongoSchema(source).installForPartitions();
        database().createCollection("orders");
    }

    // MongoDB's default: half of the memory above the first gigabyte.
    private static long cacheOfAnOrdinaryServer() {
        OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Math.max(256, (machine.getTotalMemorySize() / (1 << 20) - 1024) / 2);
    }

    MongoDatabase database() {
        return client.getDatabase(source.databaseName());
    }

    OutboxClient storeOnly() {
        return OutboxClient.storeOnly(new MongoStores(source).publishing(context));
    }

    RelayStores stores() {
        return new MongoStores(source).relay();
    }

    /** Empties and fills the collection, then waits for the server's background work. */
    void write(Backlog backlog) {
        MongoCollection<Document> events =
                database().getCollection(source.names().event());
        events.drop();
        new MongoSchema(source).installForPartitions();
        String payload = "{\"x\":\"" + "p".repeat(backlog.payloadBytes()) + "\"}";
        for (int from = 0; from < backlog.events(); from += BATCH) {
            List<Document> some = new ArrayList<>(BATCH);
            for (int i = from; i < Math.min(backlog.events(), from + BATCH); i++) {
                some.add(event(i, "key-" + i % backlog.keys(), payload));
            }
            events.insertMany(some, new InsertManyOptions().ordered(true));
        }
        client.getDatabase("admin").runCommand(new Document("fsync", 1));
    }

    private static Document event(int number, String key, String payload) {
        Date now = Date.from(Instant.now());
        int hash = KeyHash.of(key);
        return new Document("_id", String.format(Locale.ROOT, "%026d", number))
                .append("type", "OrderPlaced")
                .append("aggregateType", "Order")
                .append("aggregateId", key)
                .append("messageGroup", key)
                .append("payload", payload)
                .append("status", "PENDING")
                .append("retryCount", 0)
                .append("keyHash", hash)
                .append("bucket", hash % BUCKETS)
                .append("occurredAt", now)
                .append("createdAt", now)
                .append("dueAt", now)
                .append("seq", new BsonTimestamp(0, 0)); // The server replaces this value.
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
