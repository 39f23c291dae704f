package outbox.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.spi.AdminStore;
import outbox.spi.ClusterAdmin;
import outbox.spi.ClusterStore;
import outbox.spi.DispatchStore;
import outbox.spi.RelayStore;
import outbox.spi.RetentionStore;
import outbox.spi.StatisticsStore;
import outbox.testkit.StoreFixture;
import outbox.testkit.simulation.RealStore;

/** MongoDB for a simulated cluster: its records are moved in time, since its clock cannot be. */
record MongoRealStore(StoreFixture fixture, OutboxCollections collections) implements RealStore {

    static MongoRealStore open(TestMongo mongo) {
        return new MongoRealStore(MongoStoreFixture.open(mongo), mongo.source().inside());
    }

    @Override
    public int partitions() {
        Document meta = collections.meta().find().first();
        return Objects.requireNonNull(meta).getInteger(MetaDocument.PARTITIONS);
    }

    @Override
    public boolean isQuiet() {
        return collections.events().find(Expression.PENDING).first() == null;
    }

    @Override
    public void pass(Duration time) {
        collections.nodes().updateMany(new Document(), earlier(NodeDocuments.EXPIRES_AT, time));
        Bson pending = Filters.and(Expression.PENDING, Filters.expr(Expression.of("$gt", "$" + Field.DUE_AT, "$$NOW")));
        collections.events().updateMany(pending, earlier(Field.DUE_AT, time));
        Bson claimed = Filters.and(Expression.PENDING, Filters.exists(Field.CLAIMED_AT));
        collections.events().updateMany(claimed, earlier(Field.CLAIMED_AT, time), new UpdateOptions());
    }

    private static List<Bson> earlier(String field, Duration time) {
        return List.of(
                new Document("$set", new Document(field, Expression.of("$subtract", "$" + field, time.toMillis()))));
    }

    @Override
    public Session newSession() {
        return fixture.newSession();
    }

    @Override
    public DispatchStore dispatchStore() {
        return fixture.dispatchStore();
    }

    /** Which the server does not show. */
    @Override
    public void disconnect(String session) {}

    @Override
    public AdminStore adminStore() {
        return fixture.adminStore();
    }

    @Override
    public StatisticsStore statisticsStore() {
        return fixture.statisticsStore();
    }

    @Override
    public RetentionStore retentionStore() {
        return fixture.retentionStore();
    }

    @Override
    public RelayStore relayStore() {
        return fixture.relayStore();
    }

    @Override
    public ClusterStore clusterStore() {
        return fixture.clusterStore();
    }

    @Override
    public ClusterAdmin clusterAdmin() {
        return fixture.clusterAdmin();
    }

    @Override
    public List<FailedAttempt> failedAttempts(String eventId) {
        return fixture.failedAttempts(eventId);
    }

    @Override
    public void corruptHeaders(String eventId, String headersText) {
        fixture.corruptHeaders(eventId, headersText);
    }

    @Override
    public void empty() {
        fixture.empty();
    }

    @Override
    public void close() {
        fixture.close();
    }
}
