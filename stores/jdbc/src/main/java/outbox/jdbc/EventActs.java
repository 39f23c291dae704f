package outbox.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import outbox.model.Act;
import outbox.model.BoundedCount;
import outbox.model.EventFilter;
import outbox.model.EventFilter.State;
import outbox.model.EventSummary;
import outbox.model.Selection;
import outbox.spi.AuditWords;
import outbox.util.ErrorText;

/**
 * What operators do to settled events, within one transaction: choose, lock, change, write down. What is changed is what
 * is settled as wanted when it is locked; of two who do the same, one finds nothing left to do.
 */
record EventActs(Connection conn, Dialect dialect, TableNames tables, EventSearch search) {

    private static final int ROWS_MAX = 500;

    /** An event that is locked. */
    private record Locked(String eventId, long seq, boolean dead) {}

    /** How many settled events are meant, found as an act would find them. */
    BoundedCount count(Selection selection, int limit) {
        if (selection instanceof Selection.Matching matching) {
            State state = matching.filter().state();
            return state == State.PENDING || state == State.RETRY
                    ? new BoundedCount(0, false)
                    : search.count(conn, way(matching.filter()), limit);
        }
        int there = oldest((Selection.Ids) selection, "IN (1, 3)", limit + 1).size();
        return new BoundedCount(Math.min(there, limit), there > limit);
    }

    List<String> replay(Selection selection, int max, Act act) {
        List<Locked> events = lock(selection, max, false);
        update(
                events,
                "status = 0, attempts = 0, done_at = NULL, available_at = " + dialect.now() + ", "
                        + JdbcOutboxRepository.UNCLAIM);
        int dead = (int) events.stream().filter(Locked::dead).count();
        return note(AuditWords.REPLAY, selection, events, act, AuditWords.replayed(dead, events.size() - dead, act));
    }

    List<String> discard(Selection selection, int max, Act act) {
        List<Locked> events = lock(selection, max, true);
        String error = ErrorText.fit(AuditWords.discardedError(act));
        update(
                events,
                "status = 1, done_at = " + dialect.now() + ", last_error = ?, " + JdbcOutboxRepository.UNCLAIM,
                error);
        chunks(events).forEach(some -> new Acknowledgements(dialect, tables).delete(conn, some));
        return note(AuditWords.DISCARD, selection, events, act, AuditWords.discarded(events.size(), act));
    }

    private List<Locked> lock(Selection selection, int max, boolean deadOnly) {
        // Chosen ones are waited for. Of all that match, those that somebody is at are passed over: there may be many.
        return switch (selection) {
            case Selection.Ids ids -> {
                String status = deadOnly ? "= 3" : "IN (1, 3)";
                yield lock(oldest(ids, status, max), status, "");
            }
            case Selection.Matching matching -> {
                EventFilter filter = deadOnly && matching.filter().state() == null
                        ? matching.filter().withState(State.DEAD)
                        : matching.filter();
                yield switch (filter.state()) {
                    case null -> lock(matching(filter, max), "IN (1, 3)", " SKIP LOCKED");
                    case DONE -> deadOnly ? List.of() : lock(matching(filter, max), "= 1", " SKIP LOCKED");
                    case DEAD -> lock(matching(filter, max), "= 3", " SKIP LOCKED");
                    case PENDING, RETRY -> List.of();
                };
            }
        };
    }

    private List<String> matching(EventFilter filter, int max) {
        return search.first(conn, way(filter), max).stream()
                .map(EventSummary::eventId)
                .toList();
    }

    private EventWay way(EventFilter filter) {
        EventWay.Choice choice = EventWay.Choice.ofAnAct(conn, tables);
        return filter.state() == null ? choice.ofSettled(filter) : choice.of(filter);
    }

    private List<String> oldest(Selection.Ids ids, String status, int max) {
        return Sql.query(
                conn,
                "look for events",
                "SELECT event_id FROM " + tables.event() + " WHERE event_id IN "
                        + InList.of(ids.eventIds().size()) + " AND status + 0 " + status + " ORDER BY seq LIMIT " + max,
                statement -> InList.bind(statement, 1, ids.eventIds()),
                Sql::strings);
    }

    // In one order always, so that two that meet wait for each other instead of deadlocking. No index has the status in
    // these words, so no planner can take any but the primary key.
    private List<Locked> lock(List<String> eventIds, String status, String skip) {
        List<Locked> locked = new ArrayList<>();
        InList.chunks(eventIds.stream().sorted().toList(), ROWS_MAX)
                .forEach(some -> locked.addAll(Sql.query(
                        conn,
                        "lock events",
                        "SELECT event_id, seq, status FROM " + tables.event() + " WHERE event_id IN "
                                + InList.of(some.size()) + " AND status + 0 " + status
                                + " ORDER BY event_id FOR UPDATE" + skip,
                        statement -> InList.bind(statement, 1, some),
                        EventActs::read)));
        locked.sort(Comparator.comparingLong(Locked::seq));
        return locked;
    }

    private static List<Locked> read(ResultSet rows) throws SQLException {
        List<Locked> events = new ArrayList<>();
        while (rows.next()) {
            events.add(new Locked(rows.getString("event_id"), rows.getLong("seq"), rows.getInt("status") == 3));
        }
        return events;
    }

    /** Changes events that are locked; the assignments may have parameters. */
    private void update(List<Locked> events, String assignments, String... parameters) {
        for (List<String> some : chunks(events)) {
            Sql.update(
                    conn,
                    "change events",
                    "UPDATE " + tables.event() + " SET " + assignments + " WHERE event_id IN " + InList.of(some.size()),
                    statement -> InList.bind(statement, InList.bind(statement, 1, List.of(parameters)), some));
        }
    }

    private static List<List<String>> chunks(List<Locked> events) {
        return InList.chunks(ids(events), ROWS_MAX);
    }

    private static List<String> ids(List<Locked> events) {
        return events.stream().map(Locked::eventId).toList();
    }

    private List<String> note(String action, Selection selection, List<Locked> events, Act act, String detail) {
        List<String> changed = ids(events);
        if (!changed.isEmpty()) {
            String subject = AuditWords.subject(selection, changed);
            new AuditRows(dialect, tables).add(conn, new AuditRows.Entry(act.who(), action, subject, detail), changed);
        }
        return changed;
    }
}
