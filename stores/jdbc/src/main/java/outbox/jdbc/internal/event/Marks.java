package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.relay.OwnershipRows;
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.PartitionOwnership;

/** What is written about events that are about to be delivered, and may end the process. */
public record Marks(Dialect dialect, TableNames tables) {

    private static final String ANSWERED = "deaths = NULL";
    private static final String BEGUN = "deaths = COALESCE(deaths, 0) + 1";

    public boolean write(Connection conn, PartitionOwnership hold, Set<String> answered, Set<String> begun) {
        if (!new OwnershipRows(dialect, tables).share(conn, hold)) {
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
                ids);
    }
}
