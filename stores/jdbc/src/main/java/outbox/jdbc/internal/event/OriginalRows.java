package outbox.jdbc.internal.event;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.OutboxEvent;
import outbox.spi.operations.EventHistory.Original;

/** What events carried before an operator changed it. */
public record OriginalRows(Dialect dialect, TableNames tables) {

    /** Keeps what the event carries, unless an earlier content is kept already. The event's row has to be locked. */
    public void keep(Connection conn, OutboxEvent event) {
        if (find(conn, event.eventId()) != null) {
            return;
        }
        String insert = "INSERT INTO " + tables.original() + " (event_id, payload, payload_bytes, headers, changed_at)"
                + " VALUES (?, ?, ?, ?, " + dialect.now() + ")";
        String attempted = "keep the original of event " + event.eventId();
        Sql.update(
                conn,
                attempted,
                insert,
                event.eventId(),
                event.payloadJson(),
                event.payloadBytes(),
                event.headersJson());
    }

    @Nullable
    public Original find(Connection conn, String eventId) {
        return Sql.list(
                        conn,
                        "read the original of event " + eventId,
                        "SELECT payload, payload_bytes, headers, changed_at FROM " + tables.original()
                                + " WHERE event_id = ?",
                        row -> new Original(
                                row.getString("payload"),
                                row.getBytes("payload_bytes"),
                                row.getString("headers"),
                                dialect.instant(row, "changed_at")),
                        eventId)
                .stream()
                .findFirst()
                .orElse(null);
    }
}
