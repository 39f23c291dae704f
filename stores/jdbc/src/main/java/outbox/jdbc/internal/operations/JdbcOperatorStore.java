package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.internal.EventCursor;
import outbox.internal.JdbcTransaction;
import outbox.internal.KeyHash;
import outbox.internal.Limits;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.schema.SearchIndexInstaller;
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.RowReader;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.OutboxEvent;
import outbox.spi.ConnectionProvider;
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
 * The outbox table as operators see it. An event is found by the primary key, in which ULIDs stand in the order of time;
 * pending and settled ones by the indexes that relays and retention have anyway. Where a filter has no index, a page looks
 * at so many rows and ends there; see {@link EventSearch}.
 */
public final class JdbcOperatorStore implements OperatorStore {

    /** How many rows a look without an index of its own goes through. */
    public static final int ROWS_PER_LOOK = 5_000;

    private static final int ROWS_MAX = 10_000;

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;
    private final int rowsPerLookMax;

    public JdbcOperatorStore(ConnectionProvider connectionProvider) {
        this(connectionProvider, TableNames.DEFAULT, ROWS_PER_LOOK);
    }

    public JdbcOperatorStore(ConnectionProvider connectionProvider, TableNames tables) {
        this(connectionProvider, tables, ROWS_PER_LOOK);
    }

    public JdbcOperatorStore(ConnectionProvider connectionProvider, TableNames tables, int rowsPerLookMax) {
        this.connectionProvider = connectionProvider;
        this.tables = tables;
        this.rowsPerLookMax = Limits.oneTo(100_000, "rowsPerLookMax", rowsPerLookMax);
    }

    @Override
    public EventPage events(EventQuery query) {
        @Nullable EventCursor after = EventCursor.ofNullable(query.after());
        return transaction(conn -> {
            SearchPlan way = SearchPlan.Choice.ofALook(conn, tables).of(query.filter());
            EventSearch.Found found = search(conn).some(conn, way, after, query.limit());
            return new EventPage(found.events(), EventCursor.textOf(found.next()), found.isCut(query.limit()));
        });
    }

    @Override
    public Optional<OutboxEvent> find(String eventId) {
        return transaction(conn -> byIds(conn, List.of(eventId), "").stream().findFirst());
    }

    @Override
    public EventHistory history(String eventId) {
        return transaction(conn -> new HistoryRead(Dialect.of(conn), tables).of(conn, eventId));
    }

    @Override
    public List<EventSummary> lane(String key, int limit) {
        Limits.oneTo(ROWS_MAX, "limit", limit);
        return transaction(conn -> {
            IndexScan lane = new IndexScan.Lane(Dialect.of(conn), tables, KeyHash.of(key));
            return search(conn).first(conn, new SearchPlan(List.of(lane), EventConditions.of(EventFilter.ALL)), limit);
        });
    }

    @Override
    public EventRange range(EventFilter filter, @Nullable String after, int limit) {
        if (filter.state() != EventFilter.State.DONE) {
            throw new IllegalArgumentException("a range is of done events, but the filter means " + filter.describe());
        }
        Limits.oneTo(ROWS_MAX, "limit", limit);
        return transaction(conn -> {
            SearchPlan way = SearchPlan.Choice.ofAnAct(conn, tables).ofDoneById(filter);
            @Nullable EventCursor behind = after == null ? null : new EventCursor.ById(after);
            EventSearch.Found found = search(conn).some(conn, way, behind, limit);
            List<String> ids =
                    found.events().stream().map(EventSummary::eventId).toList();
            @Nullable String next = found.next() instanceof EventCursor.ById id ? id.eventId() : null;
            return new EventRange(byIds(conn, ids, " AND status = 1"), next);
        });
    }

    private List<OutboxEvent> byIds(Connection conn, List<String> ids, String condition) {
        List<OutboxEvent> events = new ArrayList<>();
        InList.chunks(ids, 500)
                .forEach(some -> events.addAll(Sql.query(
                        conn,
                        "find events",
                        "SELECT " + EventSql.COLUMNS + " FROM " + tables.event() + " WHERE event_id IN "
                                + InList.of(some.size()) + condition,
                        statement -> InList.bind(statement, 1, some),
                        rows -> RowReader.all(Dialect.of(conn), rows))));
        Map<String, OutboxEvent> byId = events.stream().collect(Collectors.toMap(OutboxEvent::eventId, event -> event));
        return ids.stream().map(byId::get).filter(Objects::nonNull).toList();
    }

    @Override
    public List<AuditEntry> audit(AuditQuery query) {
        return transaction(conn -> new AuditRows(Dialect.of(conn), tables).page(conn, query));
    }

    @Override
    public ClusterReport cluster() {
        return transaction(conn -> new ClusterReportRead(Dialect.of(conn), tables).read(conn));
    }

    @Override
    public BoundedCount count(Selection selection, int limit) {
        Limits.oneTo(100_000, "limit", limit);
        return transaction(conn -> acts(conn).count(selection, limit));
    }

    @Override
    public SearchIndexes searchIndexes() {
        return transaction(conn -> SearchIndexInstaller.present(conn, Dialect.of(conn), tables));
    }

    @Override
    public ChangedEvents replay(Selection selection, @Nullable String after, int max, OperatorAction act) {
        Limits.oneTo(ROWS_MAX, "max", max);
        return transaction(conn -> acts(conn).replay(selection, after, max, act));
    }

    @Override
    public ChangedEvents discard(Selection selection, @Nullable String after, int max, OperatorAction act) {
        Limits.oneTo(ROWS_MAX, "max", max);
        return transaction(conn -> acts(conn).discard(selection, after, max, act));
    }

    @Override
    public boolean edit(String eventId, EventEdit edit, OperatorAction act) {
        edit.requirePublishable();
        return transaction(conn -> new EventEdits(conn, Dialect.of(conn), tables).edit(eventId, edit, act));
    }

    @Override
    public void note(OperatorAction act, String action, String subject) {
        transaction(conn -> {
            new AuditRows(Dialect.of(conn), tables).add(conn, act.who(), action, subject, act.reason());
            return conn;
        });
    }

    private <T> T transaction(Function<Connection, T> work) {
        return JdbcTransaction.run(connectionProvider, work);
    }

    private EventSearch search(Connection conn) {
        Dialect dialect = Dialect.of(conn);
        dialect.searches().forceIndexes(conn);
        return new EventSearch(dialect, rowsPerLookMax);
    }

    private EventChanges acts(Connection conn) {
        return new EventChanges(conn, Dialect.of(conn), tables, search(conn));
    }
}
