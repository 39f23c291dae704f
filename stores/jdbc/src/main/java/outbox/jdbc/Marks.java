package outbox.jdbc;

import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import outbox.model.SlotHold;

/** What is written about events that are about to be delivered, and may end the process. */
record Marks(Dialect dialect, TableNames tables) {

    private static final String ANSWERED = "deaths = NULL";
    private static final String BEGUN = "deaths = COALESCE(deaths, 0) + 1";

    boolean write(Connection conn, SlotHold hold, Set<String> answered, Set<String> begun) {
        if (!new SlotRows(dialect, tables).share(conn, hold)) {
            return false;
        }
        update(conn, ANSWERED, answered);
        update(conn, BEGUN, begun);
        return true;
    }

    private void update(Connection conn, String assignment, Set<String> eventIds) {
        if (eventIds.isEmpty()) {
            return;
        }
        List<String> ids = List.copyOf(new TreeSet<>(eventIds));
        Sql.update(
                conn,
                "mark events",
                "UPDATE " + tables.event() + " SET " + assignment + " WHERE event_id IN " + InList.of(ids.size())
                        + " AND status + 0 IN (0, 2)",
                statement -> InList.bind(statement, 1, ids));
    }
}
