package outbox.mongodb.internal.event;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.conversions.Bson;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.spi.RetentionStore;

/** Deletes done events in chunks. With {@link MongoSchema#expireDone} the server does so instead. */
public final class MongoRetentionStore implements RetentionStore {

    private static final Bson DONE = Filters.eq(Field.STATUS, Field.COMPLETED);

    private final MongoSource source;

    public MongoRetentionStore(MongoSource source) {
        this.source = source;
    }

    @Override
    public int purgeDone(Duration olderThan, int max) {
        Bson old = Filters.and(
                DONE, Filters.expr(Expression.of("$lte", "$" + Field.PROCESSED_AT, Expression.before(olderThan))));
        return source.use("purge done events", collections -> {
            List<String> ids = collections
                    .events()
                    .find(old)
                    .sort(Sorts.ascending(Field.PROCESSED_AT))
                    .hintString(EventIndex.DONE)
                    .limit(max)
                    .projection(Projections.include(Field.ID))
                    .map(event -> event.getString(Field.ID))
                    .into(new ArrayList<>());
            return ids.isEmpty()
                    ? 0
                    : (int) collections
                            .events()
                            .deleteMany(Filters.and(Filters.in(Field.ID, ids), DONE))
                            .getDeletedCount();
        });
    }
}
