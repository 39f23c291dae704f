package outbox.jdbc.internal.event;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
        Sql.update(
                conn,
                "keep the original of event " + event.eventId(),
                "INSERT INTO " + tables.original() + " (event_id, payload, payload_bytes, headers, changed_at) VALUES"
                        + " (?, ?, ?, ?, " + dialect.now() + ")",
                statement -> {
                    statement.setString(1, event.eventId());
                    statement.setString(2, event.payloadJson());
                    statement.setBytes(3, event.payloadBytes());
                    statement.setString(4, event.headersJson());
                });
    }

    void delete(Connection conn, List<String> eventIds) {
        Sql.deleteByEvent(conn, tables.original(), eventIds);
    }

    @Nullable
    public Original find(Connection conn, String eventId) {
        List<Original> found = Sql.query(
                conn,
                "read the original of event " + eventId,
                "SELECT payload, payload_bytes, headers, changed_at FROM " + tables.original() + " WHERE event_id = ?",
                statement -> statement.setString(1, eventId),
                rows -> {
                    List<Original> all = new ArrayList<>();
                    while (rows.next()) {
                        all.add(new Original(
                                rows.getString("payload"),
                                rows.getBytes("payload_bytes"),
                                rows.getString("headers"),
                                Objects.requireNonNull(dialect.readInstant(rows, "changed_at"))));
                    }
                    return all;
                });
        return found.isEmpty() ? null : found.get(0);
    }
}
