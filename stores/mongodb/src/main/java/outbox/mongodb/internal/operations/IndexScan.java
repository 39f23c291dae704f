package outbox.mongodb.internal.operations;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import outbox.internal.EventCursor;
import outbox.internal.IdRange;
import outbox.mongodb.internal.event.Buckets;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.Seq;
import outbox.mongodb.internal.event.StoredEvent;
import outbox.mongodb.internal.schema.EventIndex;
import outbox.mongodb.internal.schema.SearchIndex;

/**
 * A scan of events: an index, a range of it, and an order. The server gets the index as a hint, so that no search can
 * become a scan of the whole collection.
 */
public sealed interface IndexScan {

    String index();

    /** Matches all events of the scan. */
    Bson all();

    /** Matches the events after a position. */
    Bson behind(EventCursor position);

    /** Matches the events up to and including a position. */
    Bson upTo(EventCursor position);

    /** The order of the index. */
    Bson order();

    /** The order of the results, in which no two events share a position. */
    default Bson fullOrder() {
        return order();
    }

    /** The fields of the index that determine an event's position. */
    Bson positionFields();

    EventCursor cursor(StoredEvent event);

    /** The end of a search that stops at this event. */
    default EventCursor end(StoredEvent event) {
        return cursor(event);
    }

    private static <T> Bson after(boolean latestFirst, String field, T value) {
        return latestFirst ? Filters.lt(field, value) : Filters.gt(field, value);
    }

    private static <T> Bson from(boolean latestFirst, String field, T value) {
        return latestFirst ? Filters.lte(field, value) : Filters.gte(field, value);
    }

    private static Bson sorted(boolean latestFirst, String... fields) {
        return latestFirst ? Sorts.descending(fields) : Sorts.ascending(fields);
    }

    /**
     * Matches what comes after a time or, at that time, meets the condition on the id, in a form that fits an index.
     */
    private static Bson after(boolean latestFirst, String field, Instant time, Bson id) {
        Date date = Date.from(time);
        return Filters.and(from(latestFirst, field, date), Filters.or(after(latestFirst, field, date), id));
    }

    /** By ids. The server compares texts only with texts. */
    record ById(SearchIndex search, IdRange range, boolean latestFirst) implements IndexScan {

        @Override
        public String index() {
            return search.index();
        }

        @Override
        public Bson all() {
            List<Bson> bounds = new ArrayList<>(search.equal());
            bounds.add(Filters.gte(Field.ID, range.from() == null ? "" : range.from()));
            if (range.before() != null) {
                bounds.add(Filters.lt(Field.ID, range.before()));
            }
            return Filters.and(bounds);
        }

        @Override
        public Bson behind(EventCursor position) {
            return after(
                    latestFirst, Field.ID, position.as(EventCursor.ById.class).eventId());
        }

        @Override
        public Bson upTo(EventCursor position) {
            return from(
                    !latestFirst, Field.ID, position.as(EventCursor.ById.class).eventId());
        }

        @Override
        public Bson order() {
            return sorted(latestFirst, Field.ID);
        }

        @Override
        public Bson positionFields() {
            return Projections.include(Field.ID);
        }

        @Override
        public EventCursor cursor(StoredEvent event) {
            return new EventCursor.ById(event.event().eventId());
        }
    }

    /** Dead events by the time of their creation, which never changes. */
    record Dead(@Nullable Instant createdFrom, @Nullable Instant createdBefore, boolean latestFirst)
            implements IndexScan {

        @Override
        public String index() {
            return EventIndex.DEAD;
        }

        @Override
        public Bson all() {
            List<Bson> bounds = new ArrayList<>(List.of(EventConditions.DEAD));
            bounds.addAll(EventConditions.created(createdFrom, createdBefore));
            return Filters.and(bounds);
        }

        @Override
        public Bson behind(EventCursor position) {
            EventCursor.Settled at = position.as(EventCursor.Settled.class);
            return after(latestFirst, Field.CREATED_AT, at.createdAt(), after(latestFirst, Field.ID, at.eventId()));
        }

        @Override
        public Bson upTo(EventCursor position) {
            EventCursor.Settled at = position.as(EventCursor.Settled.class);
            return after(!latestFirst, Field.CREATED_AT, at.createdAt(), from(!latestFirst, Field.ID, at.eventId()));
        }

        @Override
        public Bson order() {
            return sorted(latestFirst, Field.CREATED_AT, Field.ID);
        }

        @Override
        public Bson positionFields() {
            return Projections.include(Field.CREATED_AT, Field.ID);
        }

        @Override
        public EventCursor cursor(StoredEvent event) {
            return new EventCursor.Settled(
                    null, event.event().createdAt(), event.event().eventId());
        }
    }

    /**
     * Done events, the latest first. The index contains only the time, because the server can expire documents by no
     * other index. So a search ends between two times, and returns all events of the last one.
     */
    record Done() implements IndexScan {

        @Override
        public String index() {
            return EventIndex.DONE;
        }

        @Override
        public Bson all() {
            // Only events with a time: one that another program wrote may have none, and therefore no position.
            return Filters.and(EventConditions.DONE, Filters.gt(Field.PROCESSED_AT, Date.from(Instant.EPOCH)));
        }

        @Override
        public Bson behind(EventCursor position) {
            EventCursor.Done at = position.as(EventCursor.Done.class);
            return at.eventId() == null
                    ? Filters.lt(Field.PROCESSED_AT, Date.from(at.doneAt()))
                    : after(true, Field.PROCESSED_AT, at.doneAt(), after(true, Field.ID, at.eventId()));
        }

        @Override
        public Bson upTo(EventCursor position) {
            return Filters.gte(
                    Field.PROCESSED_AT,
                    Date.from(position.as(EventCursor.Done.class).doneAt()));
        }

        @Override
        public Bson order() {
            return Sorts.descending(Field.PROCESSED_AT);
        }

        @Override
        public Bson fullOrder() {
            return Sorts.descending(Field.PROCESSED_AT, Field.ID);
        }

        @Override
        public Bson positionFields() {
            return Projections.fields(Projections.include(Field.PROCESSED_AT), Projections.excludeId());
        }

        @Override
        public EventCursor cursor(StoredEvent event) {
            return new EventCursor.Done(doneAt(event), event.event().eventId());
        }

        @Override
        public EventCursor end(StoredEvent event) {
            return new EventCursor.Done(doneAt(event), null);
        }

        private static Instant doneAt(StoredEvent event) {
            return Objects.requireNonNull(event.event().state().doneAt());
        }
    }

    /**
     * Pending events in the order of their insertion, of all partitions or of one lane.
     *
     * @param lane the conditions of the lane or of all partitions
     */
    record Pending(String index, List<Bson> lane) implements IndexScan {

        static final Pending ALL = new Pending(EventIndex.SLOT, List.of(Filters.in(Field.BUCKET, Buckets.ALL)));

        static Pending ofLane(int keyHash) {
            return new Pending(
                    EventIndex.LANE,
                    List.of(Filters.eq(Field.BUCKET, Buckets.of(keyHash)), Filters.eq(Field.KEY_HASH, keyHash)));
        }

        @Override
        public Bson all() {
            List<Bson> bounds = new ArrayList<>(List.of(Expression.PENDING));
            bounds.addAll(lane);
            bounds.add(Filters.gte(Field.SEQ, Seq.FIRST));
            return Filters.and(bounds);
        }

        @Override
        public Bson behind(EventCursor position) {
            return Filters.gt(
                    Field.SEQ, Seq.tick(position.as(EventCursor.Inserted.class).seq()));
        }

        @Override
        public Bson upTo(EventCursor position) {
            return Filters.lte(
                    Field.SEQ, Seq.tick(position.as(EventCursor.Inserted.class).seq()));
        }

        @Override
        public Bson order() {
            return Sorts.ascending(Field.SEQ);
        }

        @Override
        public Bson positionFields() {
            return Projections.fields(Projections.include(Field.SEQ), Projections.excludeId());
        }

        @Override
        public EventCursor cursor(StoredEvent event) {
            return new EventCursor.Inserted(event.seq());
        }
    }
}
