package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.Acknowledgement;

/** The rows that tell which of several destinations have acknowledged an event. */
public record Acknowledgements(Dialect dialect, TableNames tables) {

    private static final int ROWS_MAX = 500;

    public Map<String, Set<String>> of(Connection conn, Collection<String> eventIds) {
        Map<String, Set<String>> targets = new HashMap<>();
        List<String> ids = List.copyOf(eventIds);
        for (int from = 0; from < ids.size(); from += ROWS_MAX) {
            List<String> some = ids.subList(from, Math.min(ids.size(), from + ROWS_MAX));
            Sql.query(
                    dialect.preferIndexes(),
                    conn,
                    "look up acknowledgements",
                    "SELECT event_id, target FROM " + tables.delivery() + " WHERE event_id IN "
                            + InList.of(some.size()),
                    statement -> InList.bind(statement, 1, some),
                    rows -> {
                        while (rows.next()) {
                            targets.computeIfAbsent(rows.getString(1), id -> new HashSet<>())
                                    .add(rows.getString(2));
                        }
                        return targets;
                    });
        }
        return targets;
    }

    /** Remembers them. The rows of their events are locked, so nobody else does at the same time. */
    void insert(Connection conn, Collection<Acknowledgement> acknowledgements) {
        Map<String, Set<String>> known = of(
                conn,
                acknowledgements.stream().map(each -> each.claim().eventId()).toList());
        List<Acknowledgement> news = acknowledgements.stream()
                .filter(each ->
                        !known.getOrDefault(each.claim().eventId(), Set.of()).contains(each.target()))
                .distinct()
                .toList();
        for (int from = 0; from < news.size(); from += ROWS_MAX) {
            insertSome(conn, news.subList(from, Math.min(news.size(), from + ROWS_MAX)));
        }
    }

    private void insertSome(Connection conn, List<Acknowledgement> some) {
        String insert = "INSERT INTO " + tables.delivery() + " (event_id, target, acknowledged_at) VALUES "
                + InList.repeated("(?, ?, " + dialect.now() + ")", some.size(), ", ");
        Sql.update(conn, "remember acknowledgements", insert, statement -> {
            int at = 0;
            for (Acknowledgement one : some) {
                statement.setString(++at, one.claim().eventId());
                statement.setString(++at, one.target());
            }
        });
    }

    public void delete(Connection conn, List<String> eventIds) {
        Sql.deleteByEvent(conn, tables.delivery(), eventIds);
    }
}
