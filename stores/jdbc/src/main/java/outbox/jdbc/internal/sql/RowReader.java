package outbox.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.RowFaults;
import outbox.jdbc.internal.event.StoredRow;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

/**
 * Reads rows of the event table, whose columns stand in the result as {@link EventSql#COLUMNS} lists them. Looking up
 * every column of every row by its name would cost a tenth of a relay's time.
 *
 * @param first where these columns begin
 */
public record RowReader(Dialect dialect, int first) {

    public static RowReader of(Dialect dialect, ResultSet rows) throws SQLException {
        return new RowReader(dialect, rows.findColumn("event_id"));
    }

    /** The rows of a query. */
    public static List<StoredRow> query(
            Connection conn, Dialect dialect, String attempted, String sql, @Nullable Object... parameters) {
        Sql.Binding binding = statement -> Sql.bind(statement, 1, parameters);
        return Sql.query(conn, attempted, sql, binding, rows -> stored(dialect, rows));
    }

    /** Every row, with what is wrong about it. */
    public static List<StoredRow> stored(Dialect dialect, ResultSet rows) throws SQLException {
        RowReader reader = of(dialect, rows);
        List<StoredRow> all = new ArrayList<>();
        while (rows.next()) {
            all.add(reader.one(rows));
        }
        return all;
    }

    /** Whether the row holds an event; an outer join gives one that does not. */
    public boolean isThere(ResultSet row) throws SQLException {
        return row.getString(first) != null;
    }

    public StoredRow one(ResultSet row) throws SQLException {
        RowFaults faults = new RowFaults(dialect, row);
        int maxAttempts = row.getInt(first + 12);
        boolean noMaxAttempts = row.wasNull();
        OutboxEvent event = new OutboxEvent(
                row.getString(first),
                faults.text("event_type", first + 2),
                row.getString(first + 3),
                row.getString(first + 4),
                row.getString(first + 5),
                row.getString(first + 6),
                row.getString(first + 7),
                row.getBytes(first + 8),
                row.getString(first + 9),
                faults.time("occurred_at", first + 13),
                noMaxAttempts ? null : maxAttempts,
                state(row, faults));
        return new StoredRow(event, row.getLong(first + 1), row.getInt(first + 10), faults.reason());
    }

    private EventState state(ResultSet row, RowFaults faults) throws SQLException {
        EventStatus status = faults.status(first + 10);
        int attempts = faults.number("attempts", first + 11);
        Instant createdAt = faults.time("created_at", first + 15);
        Instant availableAt = faults.time("available_at", first + 14);
        @Nullable Instant lastAttemptAt = faults.optionalTime("last_attempt_at", first + 16);
        @Nullable Instant doneAt = faults.optionalTime("done_at", first + 17);
        String lastError = faults.withError(row.getString(first + 18));
        int replays = row.getInt(first + 19);
        int deaths = row.getInt(first + 20);
        return new EventState(
                status, attempts, createdAt, availableAt, lastAttemptAt, doneAt, lastError, replays, deaths);
    }
}
