package outbox.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.MongoClaimStore;
import outbox.mongodb.internal.event.MongoPublishStore;
import outbox.mongodb.internal.event.MongoRetentionStore;
import outbox.mongodb.internal.event.MongoSettleStore;
import outbox.mongodb.internal.operations.MongoOperatorStore;
import outbox.mongodb.internal.operations.MongoStatisticsStore;
import outbox.mongodb.internal.relay.MongoClusterAdmin;
import outbox.mongodb.internal.relay.MongoClusterStore;
import outbox.mongodb.internal.relay.MongoPartitionStore;
import outbox.spi.ClaimStore;
import outbox.spi.PublishStore;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.StatisticsStore;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.PartitionStore;
import outbox.testkit.OperatorFixture;

/** The MongoDB store on a test database, emptied each time it is opened. */
final class MongoStoreFixture implements OperatorFixture {

    private final TestMongo mongo;
    private final OutboxCollections collections;

    private MongoStoreFixture(TestMongo mongo) {
        this.mongo = mongo;
        this.collections = mongo.source().collections();
    }

    static MongoStoreFixture open(TestMongo mongo) {
        MongoStoreFixture fixture = new MongoStoreFixture(mongo);
        OutboxCollections collections = fixture.collections;
        List.of(
                        collections.events(),
                        collections.nodes(),
                        collections.holds(),
                        collections.audit(),
                        collections.slots(),
                        collections.meta())
                .forEach(collection -> collection.deleteMany(new Document()));
        new MongoSchema(mongo.source()).install();
        return fixture;
    }

    @Override
    public Session newSession() {
        return new MongoSession();
    }

    @Override
    public void empty() {
        collections.events().deleteMany(new Document());
    }

    @Override
    public ClaimStore claimStore() {
        return new MongoClaimStore(mongo.source());
    }

    @Override
    public SettleStore settleStore() {
        return new MongoSettleStore(mongo.source());
    }

    @Override
    public StatisticsStore statisticsStore() {
        return new MongoStatisticsStore(mongo.source());
    }

    @Override
    public RetentionStore retentionStore() {
        return new MongoRetentionStore(mongo.source());
    }

    @Override
    public PartitionStore relayStore() {
        return new MongoPartitionStore(mongo.source());
    }

    @Override
    public ClusterStore clusterStore() {
        return new MongoClusterStore(mongo.source());
    }

    @Override
    public ClusterAdmin clusterAdmin() {
        return new MongoClusterAdmin(mongo.source());
    }

    @Override
    public OperatorStore operatorStore() {
        return new MongoOperatorStore(mongo.source());
    }

    @Override
    public OperatorStore operatorStore(int rowsPerLookMax) {
        return new MongoOperatorStore(mongo.source(), rowsPerLookMax);
    }

    @Override
    public List<FailedAttempt> failedAttempts(String eventId) {
        Document event = collections.events().find(Filters.eq(eventId)).first();
        if (event == null || !event.containsKey(Field.FAILURES)) {
            return List.of();
        }
        return event.getList(Field.FAILURES, Document.class).stream()
                .map(failure -> new FailedAttempt(
                        failure.getInteger("attempt"),
                        failure.getString("node"),
                        failure.getString("destination"),
                        failure.getString("error")))
                .toList();
    }

    @Override
    public void corruptHeaders(String eventId, String headersText) {
        collections.events().updateOne(Filters.eq(eventId), Updates.set(Field.HEADERS, headersText));
    }

    @Override
    public void close() {}

    private final class MongoSession implements Session {

        private final ThreadLocalMongoTxContext context = new ThreadLocalMongoTxContext();
        private final MongoTransactions transactions = new MongoTransactions(mongo.client(), context);
        private MongoTransactions.@Nullable Transaction transaction;

        @Override
        public PublishStore store() {
            return new MongoPublishStore(context, mongo.source());
        }

        @Override
        public void begin() {
            transaction = transactions.begin();
        }

        @Override
        public void commit() {
            Objects.requireNonNull(transaction, "begin first").commit();
        }

        @Override
        public void rollback() {
            Objects.requireNonNull(transaction, "begin first").rollback();
        }

        @Override
        public void close() {
            if (transaction != null) {
                transaction.close();
            }
        }
    }
}
