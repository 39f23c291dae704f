package outbox.mongodb.internal.operations;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
 * What operators do to settled events: choose some, and in one transaction change those that are settled as wanted, and
 * write it down. Of two who do the same to an event, the transaction of one fails, is done again, and finds nothing left
 * to do.
 */
record EventChanges(MongoSource source, EventSearch search) {

    /** So many acts are kept with an event, the latest ones. */
    static final int ACTS_MAX = 100;

    private static final Bson BY_ID = Sorts.ascending(Field.ID);

    private static final IndexScan IDS = new IndexScan.ById(SearchIndex.ALL_IDS, IdRange.ALL, false);

    /**
     * What is done by whom.
     *
     * @param wanted the events that it can be done to
     * @param set what it changes in them
     */
    private record Deed(OperatorAction act, String action, Bson wanted, Words words, Document set) {

        /** How the audit tells of it: of so many dead and so many done ones. */
        @FunctionalInterface
        interface Words {
            String of(int dead, int done);
        }

        List<Bson> update(ObjectId entry) {
            return List.of(new Document("$set", new Document(set).append(Field.ACTS, withAct(entry))));
        }
    }

    /** The acts that an event's document names, and one more. */
    static Document withAct(ObjectId entry) {
        Document known = Expression.of("$ifNull", "$" + Field.ACTS, List.of());
        return Expression.of("$slice", Expression.of("$concatArrays", known, List.of(entry)), -ACTS_MAX);
    }

    /** What an act looked at, and where the next begins. */
    private record Chosen(List<String> ids, @Nullable EventCursor next) {}

    /** How many settled events are meant, found as an act would find them. */
    BoundedCount count(Selection selection, int limit) {
        if (selection instanceof Selection.Matching matching) {
            return isPending(matching.filter())
                    ? new BoundedCount(0, false)
                    : search.count(SearchPlan.Choice.ofAnAct(source).ofSettled(matching.filter()), limit);
        }
        int there = ids((Selection.Ids) selection, null, EventConditions.SETTLED, limit + 1)
                .size();
        return new BoundedCount(Math.min(there, limit), there > limit);
    }

    private static boolean isPending(EventFilter filter) {
        return filter.state() == State.PENDING || filter.state() == State.RETRY;
    }

    /** One that cannot be read stays dead: the server would refuse it among the pending ones. */
    ChangedEvents replay(Selection selection, @Nullable String after, int max, OperatorAction act) {
        Document again = new Document(Field.STATUS, Field.PENDING)
                .append(Field.RETRY_COUNT, 0)
                .append(Field.REPLAYS, SettleUpdates.ONE_REPLAY_MORE)
                .append(Field.DELAYED, true)
                .append(Field.DUE_AT, Expression.NOW)
                .append(Field.PROCESSED_AT, Expression.REMOVE)
                .append(Field.ERROR_MESSAGE, Expression.REMOVE);
        Bson wanted = Filters.and(EventConditions.SETTLED, EventValidator.CAN_BE_PENDING);
        Deed replay =
                new Deed(act, AuditText.REPLAY, wanted, (dead, done) -> AuditText.replayed(dead, done, act), again);
        ChangedEvents acted = act(selection, chosen(selection, after, max, EventConditions.SETTLED), replay);
        if (acted.eventIds().isEmpty()
                && selection instanceof Selection.Ids ids
                && ids.eventIds().size() == 1) {
            requireReadable(ids.eventIds().getFirst());
        }
        return acted;
    }

    private void requireReadable(String eventId) {
        Bson itself = Filters.and(Filters.eq(Field.ID, eventId), EventConditions.SETTLED);
        Bson unreadable = Filters.and(itself, Filters.nor(EventValidator.CAN_BE_PENDING));
        boolean isUnreadable = source.use(
                "look for event " + eventId,
                collections -> collections.events().find(unreadable).first() != null);
        if (isUnreadable) {
            throw new IllegalArgumentException(
                    "event " + eventId + " cannot be replayed as it is: it does not fit the validator of "
                            + source.names().event() + ". Its last error says why; mend its document first.");
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
        Deed discard = new Deed(
                act, AuditText.DISCARD, EventConditions.DEAD, (count, none) -> AuditText.discarded(count, act), done);
        return act(selection, chosen(dead, after, max, EventConditions.DEAD), discard);
    }

    private Chosen chosen(Selection selection, @Nullable String after, int max, Bson wanted) {
        @Nullable EventCursor behind = EventCursor.ofNullable(after);
        return switch (selection) {
            case Selection.Ids ids -> {
                List<String> some = ids(ids, behind, wanted, max + 1);
                boolean more = some.size() > max;
                yield new Chosen(
                        more ? some.subList(0, max) : some, more ? new EventCursor.ById(some.get(max - 1)) : null);
            }
            case Selection.Matching matching when isPending(matching.filter()) -> new Chosen(List.of(), null);
            case Selection.Matching matching -> {
                SearchPlan way = SearchPlan.Choice.ofAnAct(source).ofSettled(matching.filter());
                EventSearch.Found found = search.some(way, behind, max);
                yield new Chosen(found.ids(), found.next());
            }
        };
    }

    private List<String> ids(Selection.Ids ids, @Nullable EventCursor behind, Bson wanted, int limit) {
        Bson these = Filters.and(Filters.in(Field.ID, ids.eventIds()), wanted);
        Bson left = behind == null ? these : Filters.and(these, IDS.behind(behind));
        return source.use(
                "look for events",
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

    private ChangedEvents act(Selection selection, Chosen chosen, Deed deed) {
        List<String> changed = chosen.ids().isEmpty()
                ? List.of()
                : source.transact(deed.action() + " events", (session, collections) -> {
                    List<Document> found = wanted(session, collections, chosen.ids(), deed.wanted());
                    return change(session, collections, found, selection, deed);
                });
        return new ChangedEvents(changed, EventCursor.textOf(chosen.next()));
    }

    /** A dead event that another program wrote may have none. */
    private static BsonTimestamp place(Document event) {
        return event.get(Field.SEQ) instanceof BsonTimestamp seq ? seq : Seq.FIRST;
    }

    private static List<Document> wanted(
            ClientSession session, OutboxCollections collections, List<String> ids, Bson wanted) {
        return collections
                .events()
                .find(session, Filters.and(Filters.in(Field.ID, ids), wanted))
                .hintString("_id_")
                .projection(Projections.include(Field.STATUS, Field.SEQ))
                .into(new ArrayList<>());
    }

    private static List<String> change(
            ClientSession session,
            OutboxCollections collections,
            List<Document> events,
            Selection selection,
            Deed deed) {
        if (events.isEmpty()) {
            return List.of();
        }
        List<String> ids = events.stream()
                .sorted(Comparator.comparing(EventChanges::place))
                .map(event -> event.getString(Field.ID))
                .toList();
        int dead = (int) events.stream()
                .filter(event -> Field.FAILED.equals(event.getString(Field.STATUS)))
                .count();
        ObjectId entry = new AuditDocuments(session, collections)
                .add(
                        deed.act().who(),
                        deed.action(),
                        AuditText.subject(selection, ids),
                        deed.words().of(dead, ids.size() - dead));
        collections.events().updateMany(session, Filters.in(Field.ID, ids), deed.update(entry), SettleUpdates.BY_ID);
        return ids;
    }
}
