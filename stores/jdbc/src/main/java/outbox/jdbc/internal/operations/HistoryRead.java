package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.util.List;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.OriginalRows;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.EventHistory.Acknowledged;
import outbox.spi.operations.EventHistory.FailedAttempt;

/** Reads the history of one event, each part by an index that begins with the event's id. */
record HistoryRead(Dialect dialect, TableNames tables) {

    /** Of a longer history the latest rows are given: an event may be replayed for ever. */
    private static final int ROWS_MAX = 1_000;

    EventHistory of(Connection conn, String eventId) {
        return new EventHistory(
                attempts(conn, eventId),
                acknowledged(conn, eventId),
                new AuditRows(dialect, tables).of(conn, eventId, ROWS_MAX),
                new OriginalRows(dialect, tables).find(conn, eventId));
    }

    private List<FailedAttempt> attempts(Connection conn, String eventId) {
        return Sql.list(
                        conn,
                        "read the attempts of event " + eventId,
                        "SELECT attempt, node_id, destination, error, failed_at FROM " + tables.attempt()
                                + " WHERE event_id = ? ORDER BY event_id DESC, id DESC LIMIT " + ROWS_MAX,
                        row -> new FailedAttempt(
                                row.getInt("attempt"),
                                row.getString("node_id"),
                                row.getString("destination"),
                                row.getString("error"),
                                dialect.instant(row, "failed_at")),
                        eventId)
                .reversed();
    }

    private List<Acknowledged> acknowledged(Connection conn, String eventId) {
        return Sql.list(
                conn,
                "read the acknowledgements of event " + eventId,
                "SELECT target, acknowledged_at FROM " + tables.delivery()
                        + " WHERE event_id = ? ORDER BY target LIMIT " + ROWS_MAX,
                row -> new Acknowledged(row.getString("target"), dialect.instant(row, "acknowledged_at")),
                eventId);
    }
}
