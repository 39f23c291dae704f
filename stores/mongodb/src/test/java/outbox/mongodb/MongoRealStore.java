package outbox.mongodb;

import catbox.simulation.RealStore;
import com.mongodb.client.model.Filters;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.bson.conversions.Bson;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.relay.MetaDocument;
import outbox.mongodb.internal.relay.NodeDocuments;
import outbox.testkit.StoreFixture;

/** MongoDB for a simulated cluster: its records are moved in time, since its clock cannot be. */
record MongoRealStore(StoreFixture fixture, OutboxCollections collections) implements RealStore {

    static MongoRealStore open(TestMongo mongo) {
        return new MongoRealStore(MongoStoreFixture.open(mongo), mongo.source().collections());
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
        collections
                .nodes()
                .updateMany(new Document(), set(NodeDocuments.EXPIRES_AT, earlier(NodeDocuments.EXPIRES_AT, time)));
        Bson pending = Filters.and(Expression.PENDING, Filters.expr(Expression.of("$gt", "$" + Field.DUE_AT, "$$NOW")));
        collections
                .events()
                .updateMany(
                        pending, set(Field.DUE_AT, Expression.of("$max", earlier(Field.DUE_AT, time), Expression.NOW)));
        Bson claimed = Filters.and(Expression.PENDING, Filters.exists(Field.CLAIMED_AT));
        collections.events().updateMany(claimed, set(Field.CLAIMED_AT, earlier(Field.CLAIMED_AT, time)));
    }

    private static Document earlier(String field, Duration time) {
        return Expression.of("$subtract", "$" + field, time.toMillis());
    }

    private static List<Bson> set(String field, Document value) {
        return List.of(new Document("$set", new Document(field, value)));
    }

    /** Which the server does not show. */
    @Override
    public void disconnect(String session) {}
}
