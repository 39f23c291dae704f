package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.internal.EventCursor;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.CorruptRows;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.operations.AuditText;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.ChangedEvents;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.Selection;

/**
 * Changes settled events for an operator, within one transaction: choose, lock, change, record. An event is changed if it
 * is still settled as wanted when it is locked; of two operators who do the same, one finds nothing left to do.
 */
record EventChanges(Connection conn, Dialect dialect, TableNames tables, EventSearch search) {

    private static final int ROWS_MAX = 500;

    /** Of events that are named. A status that is unknown counts as dead, as it is shown. */
    private static final String SETTLED = "NOT IN (0, 2)";

    private static final String DEAD = "NOT IN (0, 1, 2)";

    /**
     * The events that are about to be changed.
     *
     * @param status that they still need to have when they are locked
     */
    private record Chosen(
            List<String> eventIds, String status, @Nullable String next) {
        static final Chosen NONE = new Chosen(List.of(), "= 3", null);
    }

    /** An event that is locked. */
    private record Locked(String eventId, long seq, boolean dead) {}

    /** How many settled events are meant, found as a change would find them. */
    BoundedCount count(Selection selection, int limit) {
        if (selection instanceof Selection.Matching matching) {
            State state = matching.filter().state();
            return state == State.PENDING || state == State.RETRY
                    ? new BoundedCount(0, false)
                    : search.count(conn, plan(matching.filter()), limit);
        }
        int there = settled((Selection.Ids) selection, SETTLED).size();
        return new BoundedCount(Math.min(there, limit), there > limit);
    }

    ChangedEvents replay(Selection selection, @Nullable String after, int max, OperatorAction act) {
        Chosen chosen = choose(selection, after, max, false);
        List<Locked> events = lock(chosen, selection);
        chunks(events).forEach(some -> new CorruptRows(dialect, tables).rehash(conn, some));
        update(
                events,
                "status = 0, attempts = 0, replays = replays + 1, done_at = NULL, last_error = NULL, available_at = "
                        + dialect.now() + ", " + EventSql.UNCLAIM);
        int dead = (int) events.stream().filter(Locked::dead).count();
        note(AuditText.REPLAY, selection, events, act, AuditText.replayed(dead, events.size() - dead, act));
        return new ChangedEvents(ids(events), chosen.next());
    }

    ChangedEvents discard(Selection selection, @Nullable String after, int max, OperatorAction act) {
        Chosen chosen = choose(selection, after, max, true);
        List<Locked> events = lock(chosen, selection);
        String error = ErrorText.fit(AuditText.discardedError(act));
        update(events, "status = 1, done_at = " + dialect.now() + ", last_error = ?, " + EventSql.UNCLAIM, error);
        chunks(events).forEach(some -> Sql.deleteByEvent(conn, tables.delivery(), some));
        note(AuditText.DISCARD, selection, events, act, AuditText.discarded(events.size(), act));
        return new ChangedEvents(ids(events), chosen.next());
    }

    private Chosen choose(Selection selection, @Nullable String after, int max, boolean deadOnly) {
        @Nullable EventCursor behind = EventCursor.ofNullable(after);
        return switch (selection) {
            case Selection.Ids ids -> chosen(ids, behind, max, deadOnly ? DEAD : SETTLED);
            case Selection.Matching matching -> {
                EventFilter filter = deadOnly && matching.filter().state() == null
                        ? matching.filter().withState(State.DEAD)
                        : matching.filter();
                yield switch (filter.state()) {
                    case null -> matching(filter, behind, max, "IN (1, 3)");
                    case DONE -> deadOnly ? Chosen.NONE : matching(filter, behind, max, "= 1");
                    case DEAD -> matching(filter, behind, max, "= 3");
                    case PENDING, RETRY -> Chosen.NONE;
                };
            }
        };
    }

    private Chosen matching(EventFilter filter, @Nullable EventCursor after, int max, String status) {
        EventSearch.Found found = search.some(conn, plan(filter), after, max);
        List<String> ids = found.events().stream().map(EventSummary::eventId).toList();
        return new Chosen(ids, status, EventCursor.textOf(found.next()));
    }

    // An event keeps its place in each of these plans when it is made new and settled again: its id and the time of its
    // creation stay. The time of being done does not, so done events go by their ids.
    private SearchPlan plan(EventFilter filter) {
        SearchPlan.Choice choice = SearchPlan.Choice.forChanges(conn, tables);
        return switch (filter.state()) {
            case null -> choice.ofSettled(filter);
            case DONE -> choice.ofDoneById(filter);
            case DEAD, PENDING, RETRY -> choice.of(filter);
        };
    }

    private Chosen chosen(Selection.Ids ids, @Nullable EventCursor after, int max, String status) {
        @Nullable
        String last = after == null ? null : after.as(EventCursor.ById.class).eventId();
        // Sorted here, because a database may have another order.
        List<String> found = settled(ids, status).stream()
                .filter(id -> last == null || id.compareTo(last) > 0)
                .sorted()
                .toList();
        return found.size() <= max
                ? new Chosen(found, status, null)
                : new Chosen(found.subList(0, max), status, new EventCursor.ById(found.get(max - 1)).text());
    }

    private List<String> settled(Selection.Ids ids, String status) {
        String select = "SELECT event_id FROM " + tables.event() + " WHERE event_id IN "
                + Sql.placeholders(ids.eventIds().size()) + " AND status + 0 " + status;
        return Sql.strings(conn, "find settled events", select, ids.eventIds());
    }

    private List<Locked> lock(Chosen chosen, Selection selection) {
        // Events that were named are waited for. Of all that match, those that are locked are skipped: there may be
        // many.
        return lock(chosen.eventIds(), chosen.status(), selection instanceof Selection.Ids ? "" : " SKIP LOCKED");
    }

    // In one order always, so that two that meet wait for each other instead of deadlocking. No index has this form of
    // the status, so no planner can take any but the primary key.
    private List<Locked> lock(List<String> eventIds, String status, String skip) {
        List<Locked> locked = new ArrayList<>();
        Sql.chunks(eventIds.stream().sorted().toList(), ROWS_MAX)
                .forEach(some -> locked.addAll(Sql.list(
                        conn,
                        "lock events",
                        "SELECT event_id, seq, status FROM " + tables.event() + " WHERE event_id IN "
                                + Sql.placeholders(some.size()) + " AND status + 0 " + status
                                + " ORDER BY event_id FOR UPDATE" + skip,
                        row -> new Locked(row.getString("event_id"), row.getLong("seq"), row.getInt("status") != 1),
                        some)));
        locked.sort(Comparator.comparingLong(Locked::seq));
        return locked;
    }

    /** Changes events that are locked; the assignments may have parameters. */
    private void update(List<Locked> events, String assignments, String... parameters) {
        for (List<String> some : chunks(events)) {
            Sql.update(
                    conn,
                    "change events",
                    "UPDATE " + tables.event() + " SET " + assignments + " WHERE event_id IN "
                            + Sql.placeholders(some.size()),
                    List.of(parameters),
                    some);
        }
    }

    private static List<List<String>> chunks(List<Locked> events) {
        return Sql.chunks(ids(events), ROWS_MAX);
    }

    private static List<String> ids(List<Locked> events) {
        return events.stream().map(Locked::eventId).toList();
    }

    private void note(String action, Selection selection, List<Locked> events, OperatorAction act, String detail) {
        List<String> changed = ids(events);
        if (!changed.isEmpty()) {
            String subject = AuditText.subject(selection, changed);
            new AuditRows(dialect, tables).add(conn, new AuditRows.Entry(act.who(), action, subject, detail), changed);
        }
    }
}
