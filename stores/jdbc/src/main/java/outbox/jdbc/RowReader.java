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

/**
 * Reads rows of the event table, whose columns stand in the result as {@link EventSql#COLUMNS} lists them. Looking up
 * every column of every row by its name would cost a tenth of a relay's time.
 *
 * @param first where these columns begin
 */
record RowReader(Dialect dialect, int first) {

    static RowReader of(Dialect dialect, ResultSet rows) throws SQLException {
        return new RowReader(dialect, rows.findColumn("event_id"));
    }

    static List<OutboxEvent> all(Dialect dialect, ResultSet rows) throws SQLException {
        RowReader reader = of(dialect, rows);
        List<OutboxEvent> events = new ArrayList<>();
        while (rows.next()) {
            events.add(reader.one(rows));
        }
        return events;
    }

    /** Whether the row holds an event; an outer join gives one that does not. */
    boolean isThere(ResultSet row) throws SQLException {
        return row.getString(first) != null;
    }

    long seq(ResultSet row) throws SQLException {
        return row.getLong(first + 1);
    }

    OutboxEvent one(ResultSet row) throws SQLException {
        int maxAttempts = row.getInt(first + 12);
        boolean noMaxAttempts = row.wasNull();
        return new OutboxEvent(
                row.getString(first),
                row.getString(first + 2),
                row.getString(first + 3),
                row.getString(first + 4),
                row.getString(first + 5),
                row.getString(first + 6),
                row.getString(first + 7),
                row.getBytes(first + 8),
                row.getString(first + 9),
                instant(row, first + 13),
                noMaxAttempts ? null : maxAttempts,
                state(row));
    }

    private EventState state(ResultSet row) throws SQLException {
        return new EventState(
                EventStatus.of(row.getInt(first + 10)),
                row.getInt(first + 11),
                instant(row, first + 15),
                instant(row, first + 14),
                optionalInstant(row, first + 16),
                optionalInstant(row, first + 17),
                row.getString(first + 18),
                row.getInt(first + 19));
    }

    private Instant instant(ResultSet row, int column) throws SQLException {
        return Objects.requireNonNull(dialect.readInstant(row, column));
    }

    private @Nullable Instant optionalInstant(ResultSet row, int column) throws SQLException {
        return dialect.readInstant(row, column);
    }
}
