package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.OriginalRows;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.sql.RowReader;
import outbox.jdbc.internal.sql.Sql;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.AuditText;
import outbox.spi.operations.EventEdit;
import outbox.spi.operations.OperatorAction;

/** Changes what a dead event carries, within one transaction, and keeps what was published. */
record EventEdits(Connection conn, Dialect dialect, TableNames tables) {

    boolean edit(String eventId, EventEdit edit, OperatorAction act) {
        String select = "SELECT " + EventSql.COLUMNS + " FROM " + tables.event() + " WHERE event_id = ? FOR UPDATE";
        List<OutboxEvent> found = RowReader.query(conn, dialect, "lock event " + eventId, select, eventId).stream()
                .map(StoredRow::event)
                .toList();
        if (found.isEmpty() || found.get(0).status() != EventStatus.DEAD) {
            return false;
        }
        change(found.get(0), edit, act);
        return true;
    }

    private void change(OutboxEvent event, EventEdit edit, OperatorAction act) {
        String payload = edit.payloadJson() == null ? event.payloadJson() : edit.payloadJson();
        byte @Nullable [] bytes = edit.payloadJson() == null ? event.payloadBytes() : null;
        String headers = edit.headers() == null ? event.headersJson() : edit.headersJson();
        boolean same = Objects.equals(payload, event.payloadJson())
                && (bytes == null) == (event.payloadBytes() == null)
                && Objects.equals(headers, event.headersJson());
        if (same) {
            return; // It was edited so before, and that is written down.
        }
        new OriginalRows(dialect, tables).keep(conn, event);
        Sql.update(
                conn,
                "edit event " + event.eventId(),
                // Also where an unknown status counted as dead.
                "UPDATE " + tables.event()
                        + " SET payload = ?, payload_bytes = ?, headers = ?, status = 3 WHERE event_id = ?",
                payload,
                bytes,
                headers,
                event.eventId());
        AuditRows.Entry entry =
                new AuditRows.Entry(act.who(), AuditText.EDIT, event.eventId(), AuditText.edited(event, edit, act));
        new AuditRows(dialect, tables).add(conn, entry, List.of(event.eventId()));
    }
}
