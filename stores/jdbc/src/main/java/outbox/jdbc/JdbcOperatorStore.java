package outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.model.Act;
import outbox.model.Acted;
import outbox.model.AuditEntry;
import outbox.model.AuditQuery;
import outbox.model.BoundedCount;
import outbox.model.ClusterReport;
import outbox.model.EventEdit;
import outbox.model.EventFilter;
import outbox.model.EventHistory;
import outbox.model.EventPage;
import outbox.model.EventQuery;
import outbox.model.EventRange;
import outbox.model.EventSummary;
import outbox.model.OutboxEvent;
import outbox.model.Selection;
import outbox.spi.ConnectionProvider;
import outbox.spi.JdbcTransaction;
import outbox.spi.OperatorStore;
import outbox.util.KeyHash;

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
        this.rowsPerLookMax = checked("rowsPerLookMax", rowsPerLookMax, 100_000);
    }

    @Override
    public EventPage events(EventQuery query) {
        @Nullable EventCursor after = query.after() == null ? null : EventCursor.of(query.after());
        return transaction(conn -> {
            EventWay way = EventWay.Choice.ofALook(conn, tables).of(query.filter());
            EventSearch.Found found = search(conn).some(conn, way, after, query.limit());
            @Nullable String next = found.next() == null ? null : found.next().word();
            return new EventPage(found.events(), next, found.isCut(query.limit()));
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
        checked("limit", limit, ROWS_MAX);
        return transaction(conn -> {
            EventWalk lane = new EventWalk.Lane(Dialect.of(conn), tables, KeyHash.of(key));
            return search(conn).first(conn, new EventWay(List.of(lane), EventConditions.of(EventFilter.ALL)), limit);
        });
    }

    @Override
    public EventRange range(EventFilter filter, @Nullable String after, int limit) {
        if (filter.state() != EventFilter.State.DONE) {
            throw new IllegalArgumentException("a range is of done events, but the filter means " + filter.inWords());
        }
        checked("limit", limit, ROWS_MAX);
        return transaction(conn -> {
            EventWay way = EventWay.Choice.ofAnAct(conn, tables).ofDoneById(filter);
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
        checked("limit", limit, 100_000);
        return transaction(conn -> acts(conn).count(selection, limit));
    }

    @Override
    public SearchIndexes searchIndexes() {
        return transaction(conn -> JdbcSearchIndexes.present(conn, Dialect.of(conn), tables));
    }

    @Override
    public Acted replay(Selection selection, @Nullable String after, int max, Act act) {
        checked("max", max, ROWS_MAX);
        return transaction(conn -> acts(conn).replay(selection, after, max, act));
    }

    @Override
    public Acted discard(Selection selection, @Nullable String after, int max, Act act) {
        checked("max", max, ROWS_MAX);
        return transaction(conn -> acts(conn).discard(selection, after, max, act));
    }

    @Override
    public boolean edit(String eventId, EventEdit edit, Act act) {
        EventEdits.check(edit);
        return transaction(conn -> new EventEdits(conn, Dialect.of(conn), tables).edit(eventId, edit, act));
    }

    @Override
    public void note(Act act, String action, String subject) {
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
        try {
            dialect.keepToIndexes(conn);
        } catch (SQLException e) {
            throw SqlFailure.of("keep to indexes", e);
        }
        return new EventSearch(dialect, rowsPerLookMax);
    }

    private EventActs acts(Connection conn) {
        return new EventActs(conn, Dialect.of(conn), tables, search(conn));
    }

    private static int checked(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(name + " must be from 1 to " + max + ", was " + value);
        }
        return value;
    }
}
