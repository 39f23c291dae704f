package outbox.mongodb.internal.operations;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.internal.EventCursor;
import outbox.internal.IdRange;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.OutboxCollections;
import outbox.mongodb.internal.event.Expression;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.Seq;
import outbox.mongodb.internal.event.SettleUpdates;
import outbox.mongodb.internal.schema.EventValidator;
import outbox.mongodb.internal.schema.SearchIndex;
import outbox.spi.operations.AuditText;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.ChangedEvents;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;

/**
 * Operators' changes to settled events. A change selects events, and one transaction changes those that are still in
 * the wanted state and writes an audit entry. If two operators change the same event, the transaction of one fails, is
 * repeated, and finds nothing left to change.
 */
record EventChanges(MongoSource source, EventSearch search) {

    /** How many audit entries an event names, the latest ones. */
    static final int ENTRIES_MAX = 100;

    private static final Bson BY_ID = Sorts.ascending(Field.ID);

    private static final IndexScan IDS = new IndexScan.ById(SearchIndex.ALL_IDS, IdRange.ALL, false);

    /**
     * One kind of change.
     *
     * @param wanted matches the events that can be changed
     * @param detail the audit entry's text for a number of dead and a number of done events
     * @param set the fields to change
     */
    private record Change(
            OperatorAction act, String action, Bson wanted, BiFunction<Integer, Integer, String> detail, Document set) {

        List<Bson> update(ObjectId entry) {
            return List.of(new Document("$set", new Document(set).append(Field.ACTS, withEntry(entry))));
        }
    }

    /** The audit entries that an event's document names, and one more. */
    static Document withEntry(ObjectId entry) {
        Document known = Expression.of("$ifNull", "$" + Field.ACTS, List.of());
        return Expression.of("$slice", Expression.of("$concatArrays", known, List.of(entry)), -ENTRIES_MAX);
    }

    /** The events that a change selected, and where the next call continues. */
    private record Selected(List<String> ids, @Nullable EventCursor next) {}

    /** How many settled events are selected, found as a change would find them. */
    BoundedCount count(Selection selection, int limit) {
        if (selection instanceof Selection.Matching matching) {
            return isPending(matching.filter())
                    ? new BoundedCount(0, false)
                    : search.count(SearchPlan.Choice.forChange(source).ofSettled(matching.filter()), limit);
        }
        int present = ids((Selection.Ids) selection, null, EventConditions.SETTLED, limit + 1)
                .size();
        return new BoundedCount(Math.min(present, limit), present > limit);
    }

    private static boolean isPending(EventFilter filter) {
        return filter.state() == State.PENDING || filter.state() == State.RETRY;
    }

    /** A corrupt event stays dead, because the validator would refuse it as a pending one. */
    ChangedEvents replay(Selection selection, @Nullable String after, int max, OperatorAction act) {
        Document again = new Document(Field.STATUS, Field.PENDING)
                .append(Field.RETRY_COUNT, 0)
                .append(Field.REPLAYS, SettleUpdates.ONE_REPLAY_MORE)
                .append(Field.DELAYED, true)
                .append(Field.DUE_AT, Expression.NOW)
                .append(Field.PROCESSED_AT, Expression.REMOVE)
                .append(Field.ERROR_MESSAGE, Expression.REMOVE);
        Bson wanted = Filters.and(EventConditions.SETTLED, EventValidator.CAN_BE_PENDING);
        Change replay =
                new Change(act, AuditText.REPLAY, wanted, (dead, done) -> AuditText.replayed(dead, done, act), again);
        ChangedEvents changed = apply(selection, selected(selection, after, max, EventConditions.SETTLED), replay);
        if (changed.eventIds().isEmpty()
                && selection instanceof Selection.Ids ids
                && ids.eventIds().size() == 1) {
            requireReadable(ids.eventIds().getFirst());
        }
        return changed;
    }

    private void requireReadable(String eventId) {
        Bson itself = Filters.and(Filters.eq(Field.ID, eventId), EventConditions.SETTLED);
        Bson unreadable = Filters.and(itself, Filters.nor(EventValidator.CAN_BE_PENDING));
        boolean isUnreadable = source.use(
                "find event " + eventId,
                collections -> collections.events().find(unreadable).first() != null);
        if (isUnreadable) {
            throw new IllegalArgumentException(
                    "event " + eventId + " cannot be replayed as it is: it does not fit the validator of "
                            + source.names().event() + ". Its last error says why; correct its document first.");
        }
    }

    ChangedEvents discard(Selection selection, @Nullable String after, int max, OperatorAction act) {
        Selection dead = selection;
        if (selection instanceof Selection.Matching matching) {
            State state = matching.filter().state();
            if (state != null && state != State.DEAD) {
                return new ChangedEvents(List.of(), null);
            }
            dead = new Selection.Matching(matching.filter().withState(State.DEAD));
        }
        Document done = new Document(Field.STATUS, Field.COMPLETED)
                .append(Field.PROCESSED_AT, Expression.NOW)
                .append(Field.ERROR_MESSAGE, Expression.literal(ErrorText.fit(AuditText.discardedError(act))))
                .append(Field.ACKNOWLEDGED, Expression.REMOVE);
        Change discard = new Change(
                act, AuditText.DISCARD, EventConditions.DEAD, (count, none) -> AuditText.discarded(count, act), done);
        return apply(selection, selected(dead, after, max, EventConditions.DEAD), discard);
    }

    private Selected selected(Selection selection, @Nullable String after, int max, Bson wanted) {
        @Nullable EventCursor behind = EventCursor.ofNullable(after);
        return switch (selection) {
            case Selection.Ids ids -> {
                List<String> some = ids(ids, behind, wanted, max + 1);
                boolean more = some.size() > max;
                yield new Selected(
                        more ? some.subList(0, max) : some, more ? new EventCursor.ById(some.get(max - 1)) : null);
            }
            case Selection.Matching matching when isPending(matching.filter()) -> new Selected(List.of(), null);
            case Selection.Matching matching -> {
                SearchPlan plan = SearchPlan.Choice.forChange(source).ofSettled(matching.filter());
                EventSearch.Found found = search.some(plan, behind, max);
                yield new Selected(found.ids(), found.next());
            }
        };
    }

    private List<String> ids(Selection.Ids ids, @Nullable EventCursor behind, Bson wanted, int limit) {
        Bson these = Filters.and(Filters.in(Field.ID, ids.eventIds()), wanted);
        Bson left = behind == null ? these : Filters.and(these, IDS.behind(behind));
        return source.use(
                "find events",
                collections -> collections
                        .events()
                        .find(left)
                        .sort(BY_ID)
                        .hintString("_id_")
                        .limit(limit)
                        .projection(Projections.include(Field.ID))
                        .map(event -> event.getString(Field.ID))
                        .into(new ArrayList<>()));
    }

    private ChangedEvents apply(Selection selection, Selected selected, Change change) {
        List<String> changed = selected.ids().isEmpty()
                ? List.of()
                : source.transact(
                        change.action() + " events",
                        (session, collections) -> write(session, collections, selection, selected.ids(), change));
        return new ChangedEvents(changed, EventCursor.textOf(selected.next()));
    }

    private static List<String> write(
            ClientSession session,
            OutboxCollections collections,
            Selection selection,
            List<String> candidates,
            Change change) {
        List<Document> events = collections
                .events()
                .find(session, Filters.and(Filters.in(Field.ID, candidates), change.wanted()))
                .hintString("_id_")
                .projection(Projections.include(Field.STATUS, Field.SEQ))
                .into(new ArrayList<>());
        if (events.isEmpty()) {
            return List.of();
        }
        events.sort(Comparator.comparing(EventChanges::seq));
        List<String> ids =
                events.stream().map(event -> event.getString(Field.ID)).toList();
        int dead = (int) events.stream()
                .filter(event -> Field.FAILED.equals(event.getString(Field.STATUS)))
                .count();
        ObjectId entry = new AuditDocuments(session, collections)
                .add(
                        change.act().who(),
                        change.action(),
                        AuditText.subject(selection, ids),
                        change.detail().apply(dead, ids.size() - dead));
        collections.events().updateMany(session, Filters.in(Field.ID, ids), change.update(entry), SettleUpdates.BY_ID);
        return ids;
    }

    /** A dead event that another program wrote may have no seq. */
    private static BsonTimestamp seq(Document event) {
        return event.get(Field.SEQ) instanceof BsonTimestamp tick ? tick : Seq.FIRST;
    }
}
