package outbox.mongodb.internal.operations;

import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.model.DeadFilter;
import outbox.model.DeadPosition;
import outbox.model.OutboxEvent;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.StoredEvent;
import outbox.spi.AdminStore;
import outbox.spi.operations.BoundedCount;

/** Dead events: to be seen, counted and replayed. Reads the index of dead events only. */
public final class MongoAdminStore implements AdminStore {

    private static final Bson BY_CREATION = Sorts.ascending(Field.CREATED_AT, Field.ID);

    private final MongoSource source;

    public MongoAdminStore(MongoSource source) {
        this.source = source;
    }

    @Override
    public Optional<OutboxEvent> find(String eventId) {
        return source
                .use(
                        "find event " + eventId,
                        collections -> collections
                                .storedEvents()
                                .find(Filters.eq(Field.ID, eventId))
                                .projection(EventDocuments.FIELDS)
                                .map(StoredEvent::event)
                                .into(new ArrayList<>()))
                .stream()
                .findFirst();
    }

    @Override
    public List<OutboxEvent> listDead(DeadFilter filter, @Nullable DeadPosition after, int limit) {
        Bson dead = after == null ? dead(filter) : Filters.and(dead(filter), behind(after));
        return source.use(
                "list dead events",
                collections -> collections
                        .storedEvents()
                        .find(dead)
                        .sort(BY_CREATION)
                        .limit(checked(limit))
                        .projection(EventDocuments.FIELDS)
                        .map(StoredEvent::event)
                        .into(new ArrayList<>()));
    }

    private static Bson behind(DeadPosition position) {
        Date time = Date.from(position.createdAt());
        return Filters.or(
                Filters.gt(Field.CREATED_AT, time),
                Filters.and(Filters.eq(Field.CREATED_AT, time), Filters.gt(Field.ID, position.eventId())));
    }

    @Override
    public BoundedCount countDead(DeadFilter filter, int limit) {
        long counted = source.use(
                "count dead events",
                collections -> collections
                        .events()
                        .countDocuments(dead(filter), new CountOptions().limit(checked(limit) + 1)));
        return counted > limit ? new BoundedCount(limit, true) : new BoundedCount(counted, false);
    }

    @Override
    public boolean replay(String eventId) {
        return new DeadReplay(source).one(eventId);
    }

    @Override
    public int replayDead(DeadFilter filter, int max) {
        return new DeadReplay(source).first(dead(filter), BY_CREATION, checked(max));
    }

    private static Bson dead(DeadFilter filter) {
        List<Bson> conditions = new ArrayList<>(List.of(Filters.eq(Field.STATUS, Field.FAILED)));
        addIfGiven(conditions, Field.TYPE, filter.eventType());
        addIfGiven(conditions, Field.AGGREGATE_ID, filter.aggregateId());
        addIfGiven(conditions, Field.TENANT_ID, filter.tenantId());
        if (filter.errorContains() != null) {
            conditions.add(Filters.expr(Expression.of(
                    "$gte",
                    Expression.of(
                            "$indexOfBytes", "$" + Field.ERROR_MESSAGE, Expression.literal(filter.errorContains())),
                    0)));
        }
        if (filter.createdFrom() != null) {
            conditions.add(Filters.gte(Field.CREATED_AT, Date.from(filter.createdFrom())));
        }
        if (filter.createdBefore() != null) {
            conditions.add(Filters.lt(Field.CREATED_AT, Date.from(filter.createdBefore())));
        }
        return Filters.and(conditions);
    }

    private static void addIfGiven(List<Bson> conditions, String field, @Nullable String value) {
        if (value != null) {
            conditions.add(Filters.eq(field, value));
        }
    }

    private static int checked(int limit) {
        if (limit < 1 || limit > 10_000) {
            throw new IllegalArgumentException("limit must be from 1 to 10000, was " + limit);
        }
        return limit;
    }
}
