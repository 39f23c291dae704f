package outbox.spring;

import catbox.devservices.DevServices;
import catbox.devservices.MongoDbServer;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Assumptions;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.transaction.PlatformTransactionManager;
import outbox.internal.Ulids;
import outbox.mongodb.MongoSchema;
import outbox.mongodb.MongoSource;
import outbox.mongodb.MongoStores;
import outbox.spi.PublishStore;

/** Collections in a separate database on a real replica set. */
record CollectionStore(MongoClient client, MongoDatabaseFactory factory, SpringMongoTxContext txContext)
        implements TransactionContract.TestStore {

    private static final String BUSINESS = "business";

    static CollectionStore open() {
        if (MongoDbServer.givenUri().isEmpty()) {
            MongoDbServer.unavailableReason().ifPresent(why -> {
                System.err.println("!!! SKIPPED: MongoDB in Spring's transactions. " + why);
                Assumptions.abort(why);
            });
        }
        MongoClient client = MongoClients.create(DevServices.mongoDbUri());
        MongoDatabaseFactory factory = new SimpleMongoClientDatabaseFactory(client, "spring_" + Ulids.SYSTEM.next());
        CollectionStore store = new CollectionStore(client, factory, new SpringMongoTxContext(factory));
        new MongoSchema(store.source()).install();
        factory.getMongoDatabase().createCollection(BUSINESS);
        return store;
    }

    private MongoSource source() {
        return new MongoSource(client, factory.getMongoDatabase().getName());
    }

    @Override
    public PlatformTransactionManager transactions() {
        return new MongoTransactionManager(factory);
    }

    @Override
    public PublishStore publishStore() {
        return new MongoStores(source()).publishing(txContext);
    }

    @Override
    public void afterRollback(Runnable callback) {
        txContext.afterRollback(callback);
    }

    @Override
    public void write(long id) {
        new MongoTemplate(factory).insert(new Document("_id", id), BUSINESS);
    }

    @Override
    public List<String> business() {
        return collection(BUSINESS)
                .find()
                .sort(Sorts.ascending("_id"))
                .map(one -> String.valueOf(one.getLong("_id")))
                .into(new ArrayList<>());
    }

    @Override
    public List<String> stored() {
        return collection("outbox_event")
                .find()
                .sort(Sorts.ascending("seq"))
                .map(event -> event.getString("type"))
                .into(new ArrayList<>());
    }

    @Override
    public void empty() {
        collection(BUSINESS).deleteMany(Filters.empty());
        collection("outbox_event").deleteMany(Filters.empty());
    }

    private MongoCollection<Document> collection(String name) {
        return factory.getMongoDatabase().getCollection(name);
    }

    @Override
    public void close() {
        try (client) {
            factory.getMongoDatabase().drop();
        }
    }
}
