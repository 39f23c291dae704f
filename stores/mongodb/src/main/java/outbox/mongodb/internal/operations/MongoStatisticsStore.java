package outbox.mongodb.internal.operations;

import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.internal.Limits;
import outbox.internal.SettledSample;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.Buckets;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.Seq;
import outbox.mongodb.internal.event.StoredEvent;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.operations.OutboxStatistics.Settled;
import outbox.spi.operations.StatisticsStore;

/** Reads statistics from bounded ranges of indexes, never more than the sample, however large the collection is. */
public final class MongoStatisticsStore implements StatisticsStore {

    private final MongoSource source;

    public MongoStatisticsStore(MongoSource source) {
        this.source = source;
    }

    @Override
    public OutboxStatistics statistics(int sampleMax) {
        Limits.oneTo(100_000, "sampleMax", sampleMax);
        return source.use(
                "read statistics",
                collections -> new OutboxStatistics(
                        count(collections, Expression.PENDING, EventIndex.LANE, sampleMax),
                        oldestPendingAge(collections, sampleMax),
                        count(collections, Filters.eq(Field.STATUS, Field.FAILED), EventIndex.DEAD, sampleMax),
                        settled(collections, sampleMax)));
    }

    private static BoundedCount count(OutboxCollections collections, Bson filter, String index, int limit) {
        long counted = collections
                .events()
                .countDocuments(filter, new CountOptions().hintString(index).limit(limit + 1));
        return counted > limit ? new BoundedCount(limit, true) : new BoundedCount(counted, false);
    }

    // In the order of insertion. A delayed event counts from when it is due, and a retry from its creation. Another
    // program may have written values that are no times.
    private static @Nullable Duration oldestPendingAge(OutboxCollections collections, int sampleMax) {
        Document isPostponed = Expression.of(
                "$and",
                Expression.of("$gt", "$" + Field.LAST_ATTEMPT_AT, null),
                Expression.of("$not", "$" + Field.DELAYED));
        Document isRetry = Expression.of("$or", Expression.of("$gt", "$" + Field.RETRY_COUNT, 0), isPostponed);
        Document written = Expression.of("$cond", isRetry, "$" + Field.CREATED_AT, "$" + Field.DUE_AT);
        Document isTime = Expression.of("$eq", new Document("$type", written), "date");
        Document since = new Document("$cond", Arrays.asList(isTime, written, null));
        List<Bson> pipeline = List.of(
                new Document(
                        "$match",
                        Filters.and(
                                Expression.PENDING,
                                Filters.in(Field.BUCKET, Buckets.ALL),
                                Filters.gt(Field.SEQ, Seq.tick(0)))),
                new Document("$sort", new Document(Field.SEQ, 1)),
                new Document("$limit", sampleMax),
                new Document("$match", Filters.or(Filters.expr(isRetry), Filters.expr(Expression.DUE))),
                new Document("$group", new Document(Field.ID, null).append("since", new Document("$min", since))),
                new Document("$set", new Document("now", Expression.NOW)));
        Document oldest = collections
                .events()
                .aggregate(pipeline)
                .hintString(EventIndex.SLOT)
                .first();
        @Nullable Instant oldestSince = oldest == null ? null : EventDocuments.instant(oldest, "since");
        return oldest == null || oldestSince == null
                ? null
                : Duration.between(oldestSince, EventDocuments.required(oldest, "now"));
    }

    private static Settled settled(OutboxCollections collections, int sampleMax) {
        SettledSample sample = new SettledSample();
        collections
                .storedEvents()
                .find(Filters.eq(Field.STATUS, Field.COMPLETED))
                .sort(Sorts.descending(Field.PROCESSED_AT))
                .hintString(EventIndex.DONE)
                .limit(sampleMax)
                .projection(Projections.include(
                        Field.STATUS, Field.TYPE, Field.RETRY_COUNT, Field.CREATED_AT, Field.PROCESSED_AT))
                .map(StoredEvent::event)
                .forEach(event -> sample.add(
                        event.eventType(),
                        event.attempts(),
                        event.createdAt(),
                        event.state().doneAt()));
        return sample.figures();
    }
}
