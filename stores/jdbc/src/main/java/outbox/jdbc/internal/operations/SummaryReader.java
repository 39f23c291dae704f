package outbox.jdbc.internal.operations;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.RowFaults;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.spi.operations.EventSummary;

/** Reads events as a list shows them. What they carry is not even selected. */
record SummaryReader(Dialect dialect) {

    /** The columns that a summary needs, and the one that the index of keys orders by. */
    static final String COLUMNS = "e.event_id, e.seq, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id,"
            + " e.ordering_key, e.key_hash, e.status, e.attempts, e.occurred_at, e.available_at, e.created_at,"
            + " e.last_attempt_at, e.done_at, e.last_error";

    /** Also of a row that cannot be delivered: its last error then says why. */
    EventSummary one(ResultSet row) throws SQLException {
        RowFaults faults = new RowFaults(dialect, row);
        String type = faults.text("event_type", row.findColumn("event_type"));
        Instant occurredAt = faults.time("occurred_at", row.findColumn("occurred_at"));
        return new EventSummary(
                row.getString("event_id"),
                row.getLong("seq"),
                type,
                row.getString("aggregate_type"),
                row.getString("aggregate_id"),
                row.getString("tenant_id"),
                row.getString("ordering_key"),
                occurredAt,
                state(row, faults));
    }

    private static EventState state(ResultSet row, RowFaults faults) throws SQLException {
        EventStatus status = faults.status(row.findColumn("status"));
        int attempts = faults.number("attempts", row.findColumn("attempts"));
        Instant createdAt = faults.time("created_at", row.findColumn("created_at"));
        Instant availableAt = faults.time("available_at", row.findColumn("available_at"));
        @Nullable Instant lastAttemptAt = faults.optionalTime("last_attempt_at", row.findColumn("last_attempt_at"));
        @Nullable Instant doneAt = faults.optionalTime("done_at", row.findColumn("done_at"));
        String lastError = faults.withError(row.getString("last_error"));
        return new EventState(status, attempts, createdAt, availableAt, lastAttemptAt, doneAt, lastError);
    }
}
