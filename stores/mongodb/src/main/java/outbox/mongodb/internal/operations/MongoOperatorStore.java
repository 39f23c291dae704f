package outbox.mongodb.internal.operations;

import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.internal.EventCursor;
import outbox.internal.KeyHash;
import outbox.internal.Limits;
import outbox.model.OutboxEvent;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.event.EventDocuments;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.StoredEvent;
import outbox.mongodb.internal.schema.SearchIndexInstaller;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.ChangedEvents;
import outbox.spi.operations.ClusterReport;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventRange;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.Selection;

/**
 * The collection of events as operators see it. An event is found by its id, and ULIDs stand in the order of time;
 * pending and settled ones by the indexes that relays and retention have anyway. Where a filter has no index, a page looks
 * at so many events and ends there; see {@link EventSearch}. What is written down about an event is in its document, and
 * goes with it.
 */
public final class MongoOperatorStore implements OperatorStore {

    /** How many events a look without an index of its own goes through. */
    public static final int ROWS_PER_LOOK = 5_000;

    private static final int ROWS_MAX = 10_000;

    private final MongoSource source;
    private final EventSearch search;
    private final EventChanges acts;

    public MongoOperatorStore(MongoSource source) {
        this(source, ROWS_PER_LOOK);
    }

    public MongoOperatorStore(MongoSource source, int rowsPerLookMax) {
        this.source = source;
        this.search = new EventSearch(source, Limits.oneTo(100_000, "rowsPerLookMax", rowsPerLookMax));
        this.acts = new EventChanges(source, search);
    }

    @Override
    public EventPage events(EventQuery query) {
        @Nullable EventCursor after = EventCursor.ofNullable(query.after());
        SearchPlan way = SearchPlan.Choice.ofALook(source).of(query.filter());
        EventSearch.Found found = search.some(way, after, query.limit());
        return new EventPage(found.summaries(), EventCursor.textOf(found.next()), found.isCut(query.limit()));
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
    public EventHistory history(String eventId) {
        return new HistoryRead(source).of(eventId);
    }

    @Override
    public List<EventSummary> lane(String key, int limit) {
        SearchPlan lane = SearchPlan.of(IndexScan.Pending.ofLane(KeyHash.of(key)), List.of());
        return search.some(lane, null, Limits.oneTo(ROWS_MAX, "limit", limit)).summaries();
    }

    @Override
    public EventRange range(EventFilter filter, @Nullable String after, int limit) {
        if (filter.state() != EventFilter.State.DONE) {
            throw new IllegalArgumentException("a range is of done events, but the filter means " + filter.describe());
        }
        SearchPlan way = SearchPlan.Choice.ofAnAct(source).ofDoneById(filter);
        @Nullable EventCursor behind = after == null ? null : new EventCursor.ById(after);
        EventSearch.Found found = search.whole(way, behind, Limits.oneTo(ROWS_MAX, "limit", limit));
        @Nullable String next = found.next() instanceof EventCursor.ById id ? id.eventId() : null;
        return new EventRange(found.events().stream().map(StoredEvent::event).toList(), next);
    }

    @Override
    public List<AuditEntry> audit(AuditQuery query) {
        return source.use("read the audit", collections -> AuditDocuments.page(collections, query));
    }

    @Override
    public ClusterReport cluster() {
        return new ClusterReportRead(source).execute();
    }

    @Override
    public BoundedCount count(Selection selection, int limit) {
        return acts.count(selection, Limits.oneTo(100_000, "limit", limit));
    }

    @Override
    public SearchIndexes searchIndexes() {
        return new SearchIndexInstaller(source).present();
    }

    @Override
    public ChangedEvents replay(Selection selection, @Nullable String after, int max, OperatorAction act) {
        return acts.replay(selection, after, Limits.oneTo(ROWS_MAX, "max", max), act);
    }

    @Override
    public ChangedEvents discard(Selection selection, @Nullable String after, int max, OperatorAction act) {
        return acts.discard(selection, after, Limits.oneTo(ROWS_MAX, "max", max), act);
    }

    @Override
    public boolean edit(String eventId, EventEdit edit, OperatorAction act) {
        edit.requirePublishable();
        return source.transact(
                "edit event " + eventId,
                (session, collections) -> new EventEdits(session, collections).edit(eventId, edit, act));
    }

    @Override
    public void note(OperatorAction act, String action, String subject) {
        source.transact(
                "write to the audit",
                (session, collections) ->
                        new AuditDocuments(session, collections).add(act.who(), action, subject, act.reason()));
    }
}
