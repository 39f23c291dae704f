package outbox.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

/** Reads rows of the event table. */
record RowReader(Dialect dialect) {

    List<OutboxEvent> all(ResultSet rows) throws SQLException {
        List<OutboxEvent> events = new ArrayList<>();
        while (rows.next()) {
            events.add(one(rows));
        }
        return events;
    }

    OutboxEvent one(ResultSet row) throws SQLException {
        int maxAttempts = row.getInt("max_attempts");
        boolean noMaxAttempts = row.wasNull();
        return new OutboxEvent(
                row.getString("event_id"),
                row.getString("event_type"),
                row.getString("aggregate_type"),
                row.getString("aggregate_id"),
                row.getString("tenant_id"),
                row.getString("ordering_key"),
                row.getString("payload"),
                row.getBytes("payload_bytes"),
                row.getString("headers"),
                instant(row, "occurred_at"),
                noMaxAttempts ? null : maxAttempts,
                new EventState(
                        EventStatus.of(row.getInt("status")),
                        row.getInt("attempts"),
                        instant(row, "created_at"),
                        instant(row, "available_at"),
                        optionalInstant(row, "last_attempt_at"),
                        optionalInstant(row, "done_at"),
                        row.getString("last_error")));
    }

    private Instant instant(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(dialect.readInstant(row, column), column);
    }

    private @Nullable Instant optionalInstant(ResultSet row, String column) throws SQLException {
        return dialect.readInstant(row, column);
    }
}
