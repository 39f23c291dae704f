package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.Acknowledgement;

/** The rows that record which of several destinations have acknowledged an event. */
public record Acknowledgements(Dialect dialect, TableNames tables) {

    private static final int ROWS_MAX = 500;

    public Map<String, Set<String>> of(Connection conn, Collection<String> eventIds) {
        Map<String, Set<String>> targets = new HashMap<>();
        for (List<String> ids : Sql.chunks(List.copyOf(eventIds), ROWS_MAX)) {
            String select = "SELECT event_id, target FROM " + tables.delivery() + " WHERE event_id IN "
                    + Sql.placeholders(ids.size());
            Sql.list(
                    dialect.preferIndexes(),
                    conn,
                    "read acknowledgements",
                    select,
                    row -> targets.computeIfAbsent(row.getString(1), id -> new HashSet<>())
                            .add(row.getString(2)),
                    ids);
        }
        return targets;
    }

    /** Records them. The rows of their events are locked, so no other transaction does at the same time. */
    void insert(Connection conn, Collection<Acknowledgement> acknowledgements) {
        Map<String, Set<String>> known = of(
                conn,
                acknowledgements.stream().map(each -> each.claim().eventId()).toList());
        List<Acknowledgement> unknown = acknowledgements.stream()
                .filter(each ->
                        !known.getOrDefault(each.claim().eventId(), Set.of()).contains(each.target()))
                .distinct()
                .toList();
        for (List<Acknowledgement> some : Sql.chunks(unknown, ROWS_MAX)) {
            String insert = "INSERT INTO " + tables.delivery() + " (event_id, target, acknowledged_at) VALUES "
                    + Sql.repeated("(?, ?, " + dialect.now() + ")", some.size(), ", ");
            Sql.update(
                    conn,
                    "record acknowledgements",
                    insert,
                    some.stream()
                            .flatMap(each -> Stream.of(each.claim().eventId(), each.target()))
                            .toList());
        }
    }
}
