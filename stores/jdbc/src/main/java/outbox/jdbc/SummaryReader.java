package outbox.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.EventSummary;

/** Reads events as a list shows them. What they carry is not even selected. */
record SummaryReader(Dialect dialect) {

    /** The columns that a summary needs, and the one that the index of keys orders by. */
    static final String COLUMNS = "e.event_id, e.seq, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id,"
            + " e.ordering_key, e.key_hash, e.status, e.attempts, e.occurred_at, e.available_at, e.created_at,"
            + " e.last_attempt_at, e.done_at, e.last_error";

    EventSummary one(ResultSet row) throws SQLException {
        return new EventSummary(
                row.getString("event_id"),
                row.getLong("seq"),
                row.getString("event_type"),
                row.getString("aggregate_type"),
                row.getString("aggregate_id"),
                row.getString("tenant_id"),
                row.getString("ordering_key"),
                instant(row, "occurred_at"),
                new EventState(
                        EventStatus.of(row.getInt("status")),
                        row.getInt("attempts"),
                        instant(row, "created_at"),
                        instant(row, "available_at"),
                        dialect.readInstant(row, "last_attempt_at"),
                        dialect.readInstant(row, "done_at"),
                        row.getString("last_error")));
    }

    private Instant instant(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(dialect.readInstant(row, column), column);
    }
}
