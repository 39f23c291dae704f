package outbox.mongodb.internal.operations;

import com.mongodb.client.FindIterable;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.internal.EventCursor;
import outbox.model.OutboxEvent;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.StoredEvent;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventSummary;

/**
 * Walks along a way and keeps the events that match.
 *
 * <p>The index is asked first where its next so many entries end, and then for the events up to there that match. A look
 * costs these entries and no more, whether a thousand of them match or none, and what happens between the two commands
 * neither hides an event nor shows one twice.
 *
 * @param rowsMax how many entries one look goes through
 */
record EventSearch(MongoSource source, int rowsMax) {

    /** What a list shows: all but what an event carries, and what is written down about it. */
    private static final Bson SUMMARY = Projections.include(
            Field.SEQ,
            Field.TYPE,
            Field.AGGREGATE_TYPE,
            Field.AGGREGATE_ID,
            Field.TENANT_ID,
            Field.MESSAGE_GROUP,
            Field.OCCURRED_AT,
            Field.OCCURRED_MICROS,
            Field.STATUS,
            Field.RETRY_COUNT,
            Field.CREATED_AT,
            Field.DUE_AT,
            Field.DELAYED,
            Field.LAST_ATTEMPT_AT,
            Field.PROCESSED_AT,
            Field.ERROR_MESSAGE);

    /**
     * What a search has found.
     *
     * @param next where to go on; null at the end of the way
     */
    record Found(List<StoredEvent> events, @Nullable EventCursor next) {

        boolean isCut(int limit) {
            return next != null && events.size() < limit;
        }

        List<String> ids() {
            return events.stream().map(event -> event.event().eventId()).toList();
        }

        List<EventSummary> summaries() {
            return events.stream().map(EventSearch::summary).toList();
        }
    }

    /** The next events of the way, without what they carry. */
    Found some(SearchPlan way, @Nullable EventCursor after, int limit) {
        return some(way, after, limit, SUMMARY);
    }

    /** The same with what they carry. */
    Found whole(SearchPlan way, @Nullable EventCursor after, int limit) {
        return some(way, after, limit, EventDocuments.FIELDS);
    }

    private Found some(SearchPlan way, @Nullable EventCursor after, int limit, Bson fields) {
        List<StoredEvent> events = new ArrayList<>();
        for (IndexScan walk : way.walks()) {
            int wanted = limit + 1 - events.size();
            Bson behind = behind(walk, after);
            int rows = way.conditions().isEmpty() ? Math.min(wanted, rowsMax) : rowsMax;
            @Nullable EventCursor end = end(walk, behind, rows);
            events.addAll(read(walk, within(walk, behind, end, way.conditions()), wanted, fields));
            if (events.size() > limit) {
                return new Found(events.subList(0, limit), walk.cursor(events.get(limit - 1)));
            }
            if (end != null) {
                return new Found(events, end);
            }
        }
        return new Found(events, null);
    }

    /** Counts no further than the limit, and gives up where a page of that many events would. */
    BoundedCount count(SearchPlan way, int limit) {
        long counted = 0;
        for (IndexScan walk : way.walks()) {
            Bson all = walk.all();
            @Nullable EventCursor end = end(walk, all, limit + (way.conditions().isEmpty() ? 1 : rowsMax));
            CountOptions bounded = new CountOptions().hintString(walk.index()).limit((int) (limit + 1 - counted));
            counted += source.use(
                    "count events",
                    collections ->
                            collections.events().countDocuments(within(walk, all, end, way.conditions()), bounded));
            if (counted > limit || end != null) {
                return new BoundedCount(Math.min(counted, limit), true);
            }
        }
        return new BoundedCount(counted, false);
    }

    private static Bson behind(IndexScan walk, @Nullable EventCursor after) {
        return after == null ? walk.all() : Filters.and(walk.all(), walk.behind(after));
    }

    private static Bson within(IndexScan walk, Bson behind, @Nullable EventCursor end, List<Bson> conditions) {
        List<Bson> all = new ArrayList<>(List.of(behind));
        if (end != null) {
            all.add(walk.upTo(end));
        }
        all.addAll(conditions);
        return Filters.and(all);
    }

    /** The place of the last of N entries; null when there are fewer. */
    private @Nullable EventCursor end(IndexScan walk, Bson behind, int rows) {
        List<StoredEvent> last = read(
                walk,
                found -> found.filter(behind)
                        .sort(walk.order())
                        .skip(rows - 1)
                        .limit(1)
                        .projection(walk.place()));
        return last.isEmpty() ? null : walk.end(last.getFirst());
    }

    private List<StoredEvent> read(IndexScan walk, Bson filter, int limit, Bson fields) {
        return read(
                walk,
                found ->
                        found.filter(filter).sort(walk.fullOrder()).limit(limit).projection(fields));
    }

    private List<StoredEvent> read(IndexScan walk, UnaryOperator<FindIterable<StoredEvent>> which) {
        return source.use(
                "search events",
                collections -> which.apply(collections.storedEvents().find().hintString(walk.index()))
                        .into(new ArrayList<>()));
    }

    private static EventSummary summary(StoredEvent stored) {
        OutboxEvent event = stored.event();
        return new EventSummary(
                event.eventId(),
                stored.seq(),
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                event.orderingKey(),
                event.occurredAt(),
                event.state());
    }
}
