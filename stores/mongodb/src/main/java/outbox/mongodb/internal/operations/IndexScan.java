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
 * One way through the events: through which index, over which documents, in which order. The server is told the index, so
 * that no look can become a walk through the collection.
 */
public sealed interface IndexScan {

    /** The index that it goes through. */
    String index();

    /** All documents of this way. */
    Bson all();

    /** Those that come behind a place. */
    Bson behind(EventCursor place);

    /** Those that come no later than a place. */
    Bson upTo(EventCursor place);

    /** An order that the index has. */
    Bson order();

    /** The same for what is found, in which no two events share a place. */
    default Bson fullOrder() {
        return order();
    }

    /** What the index itself knows of an event, from which its place can be told. */
    Bson place();

    EventCursor cursor(StoredEvent event);

    /** Where a look ends that ends with this event. */
    default EventCursor end(StoredEvent event) {
        return cursor(event);
    }

    /**
     * What comes behind a time and, at that time, behind an id; in words that an index knows.
     *
     * @param id the condition on the id
     */
    private static Bson beyond(String field, boolean down, Instant at, Bson id) {
        Date time = Date.from(at);
        return down
                ? Filters.and(Filters.lte(field, time), Filters.or(Filters.lt(field, time), id))
                : Filters.and(Filters.gte(field, time), Filters.or(Filters.gt(field, time), id));
    }

    private static Bson behindId(boolean down, String eventId) {
        return down ? Filters.lt(Field.ID, eventId) : Filters.gt(Field.ID, eventId);
    }

    private static Bson upToId(boolean down, String eventId) {
        return down ? Filters.gte(Field.ID, eventId) : Filters.lte(Field.ID, eventId);
    }

    /** By ids, among which the server compares texts with texts only. */
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
        public Bson behind(EventCursor place) {
            return behindId(latestFirst, place.as(EventCursor.ById.class).eventId());
        }

        @Override
        public Bson upTo(EventCursor place) {
            return upToId(latestFirst, place.as(EventCursor.ById.class).eventId());
        }

        @Override
        public Bson order() {
            return latestFirst ? Sorts.descending(Field.ID) : Sorts.ascending(Field.ID);
        }

        @Override
        public Bson place() {
            return Projections.include(Field.ID);
        }

        @Override
        public EventCursor cursor(StoredEvent event) {
            return new EventCursor.ById(event.event().eventId());
        }
    }

    /** Dead events by the time of their creation, which they keep whatever becomes of them. */
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
        public Bson behind(EventCursor place) {
            EventCursor.Settled at = place.as(EventCursor.Settled.class);
            return beyond(Field.CREATED_AT, latestFirst, at.createdAt(), behindId(latestFirst, at.eventId()));
        }

        @Override
        public Bson upTo(EventCursor place) {
            EventCursor.Settled at = place.as(EventCursor.Settled.class);
            return beyond(Field.CREATED_AT, !latestFirst, at.createdAt(), upToId(latestFirst, at.eventId()));
        }

        @Override
        public Bson order() {
            return latestFirst
                    ? Sorts.descending(Field.CREATED_AT, Field.ID)
                    : Sorts.ascending(Field.CREATED_AT, Field.ID);
        }

        @Override
        public Bson place() {
            return Projections.include(Field.CREATED_AT, Field.ID);
        }

        @Override
        public EventCursor cursor(StoredEvent event) {
            return new EventCursor.Settled(
                    null, event.event().createdAt(), event.event().eventId());
        }
    }

    /**
     * Done events, the latest first. The index has the time only, because it has to be one by which the server can let
     * them expire; so a look ends between two times, and has all events of the last one.
     */
    record Done() implements IndexScan {

        @Override
        public String index() {
            return EventIndex.DONE;
        }

        @Override
        public Bson all() {
            // A time, as all have that we settled: what another program wrote may have none, and no place.
            return Filters.and(EventConditions.DONE, Filters.gt(Field.PROCESSED_AT, Date.from(Instant.EPOCH)));
        }

        @Override
        public Bson behind(EventCursor place) {
            EventCursor.Done at = place.as(EventCursor.Done.class);
            return at.eventId() == null
                    ? Filters.lt(Field.PROCESSED_AT, Date.from(at.doneAt()))
                    : beyond(Field.PROCESSED_AT, true, at.doneAt(), behindId(true, at.eventId()));
        }

        @Override
        public Bson upTo(EventCursor place) {
            return Filters.gte(
                    Field.PROCESSED_AT,
                    Date.from(place.as(EventCursor.Done.class).doneAt()));
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
        public Bson place() {
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
     * Pending events in the order of their insertion: those of all slots, or of one lane.
     *
     * @param lane the lane's conditions; none for all slots
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
        public Bson behind(EventCursor place) {
            return Filters.gt(
                    Field.SEQ, Seq.tick(place.as(EventCursor.Inserted.class).seq()));
        }

        @Override
        public Bson upTo(EventCursor place) {
            return Filters.lte(
                    Field.SEQ, Seq.tick(place.as(EventCursor.Inserted.class).seq()));
        }

        @Override
        public Bson order() {
            return Sorts.ascending(Field.SEQ);
        }

        @Override
        public Bson place() {
            return Projections.fields(Projections.include(Field.SEQ), Projections.excludeId());
        }

        @Override
        public EventCursor cursor(StoredEvent event) {
            return new EventCursor.Inserted(event.seq());
        }
    }
}
