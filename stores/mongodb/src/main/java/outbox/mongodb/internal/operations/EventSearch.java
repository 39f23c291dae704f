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
 * Searches events along a plan.
 *
 * <p>A first command finds where the next entries of the index end, and a second one returns the matching events up to
 * there. So a search reads a fixed number of entries, whether a thousand of them match or none, and changes between the
 * two commands neither hide an event nor return one twice.
 *
 * @param rowsMax how many entries one search reads
 */
record EventSearch(MongoSource source, int rowsMax) {

    /** The fields that a list shows: not the payload, the headers or the records. */
    private static final Bson SUMMARY = Projections.fields(
            EventDocuments.FIELDS,
            Projections.exclude(Field.PAYLOAD, Field.HEADERS, Field.REPLAYS, Field.MAX_ATTEMPTS));

    /**
     * The result of a search.
     *
     * @param next where to continue; null at the end of the plan
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

    /** The next events of the plan, without payload and headers. */
    Found some(SearchPlan plan, @Nullable EventCursor after, int limit) {
        return some(plan, after, limit, SUMMARY);
    }

    /** The next events of the plan, with payload and headers. */
    Found whole(SearchPlan plan, @Nullable EventCursor after, int limit) {
        return some(plan, after, limit, EventDocuments.FIELDS);
    }

    private Found some(SearchPlan plan, @Nullable EventCursor after, int limit, Bson fields) {
        List<StoredEvent> events = new ArrayList<>();
        for (IndexScan scan : plan.scans()) {
            int wanted = limit + 1 - events.size();
            Bson behind = behind(scan, after);
            int rows = plan.conditions().isEmpty() ? Math.min(wanted, rowsMax) : rowsMax;
            @Nullable EventCursor end = end(scan, behind, rows);
            events.addAll(read(scan, within(scan, behind, end, plan.conditions()), wanted, fields));
            if (events.size() > limit) {
                return new Found(events.subList(0, limit), scan.cursor(events.get(limit - 1)));
            }
            if (end != null) {
                return new Found(events, end);
            }
        }
        return new Found(events, null);
    }

    /** Counts up to the limit, and stops where a page of that size would. */
    BoundedCount count(SearchPlan plan, int limit) {
        long counted = 0;
        for (IndexScan scan : plan.scans()) {
            Bson all = scan.all();
            @Nullable
            EventCursor end = end(scan, all, limit + (plan.conditions().isEmpty() ? 1 : rowsMax));
            CountOptions bounded = new CountOptions().hintString(scan.index()).limit((int) (limit + 1 - counted));
            counted += source.use(
                    "count events",
                    collections ->
                            collections.events().countDocuments(within(scan, all, end, plan.conditions()), bounded));
            if (counted > limit || end != null) {
                return new BoundedCount(Math.min(counted, limit), true);
            }
        }
        return new BoundedCount(counted, false);
    }

    private static Bson behind(IndexScan scan, @Nullable EventCursor after) {
        return after == null ? scan.all() : Filters.and(scan.all(), scan.behind(after));
    }

    private static Bson within(IndexScan scan, Bson behind, @Nullable EventCursor end, List<Bson> conditions) {
        List<Bson> all = new ArrayList<>(List.of(behind));
        if (end != null) {
            all.add(scan.upTo(end));
        }
        all.addAll(conditions);
        return Filters.and(all);
    }

    /** The position of the last of N entries; null when there are fewer. */
    private @Nullable EventCursor end(IndexScan scan, Bson behind, int rows) {
        List<StoredEvent> last = read(
                scan,
                found -> found.filter(behind)
                        .sort(scan.order())
                        .skip(rows - 1)
                        .limit(1)
                        .projection(scan.positionFields()));
        return last.isEmpty() ? null : scan.end(last.getFirst());
    }

    private List<StoredEvent> read(IndexScan scan, Bson filter, int limit, Bson fields) {
        return read(
                scan,
                found ->
                        found.filter(filter).sort(scan.fullOrder()).limit(limit).projection(fields));
    }

    private List<StoredEvent> read(IndexScan scan, UnaryOperator<FindIterable<StoredEvent>> which) {
        return source.use(
                "search events",
                collections -> which.apply(collections.storedEvents().find().hintString(scan.index()))
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
