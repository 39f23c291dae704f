package outbox.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.PendingEvent;

/** Reads what a look at slots or lanes gave. */
record PendingRows(Dialect dialect) {

    /** An event and the size of its payload. */
    record Sized(PendingEvent event, long size) {}

    /** The rows from the current one on, in the order asked for; a row without an event stands for none. */
    List<Sized> all(ResultSet rows, Comparator<PendingEvent> order) throws SQLException {
        List<Sized> events = new ArrayList<>();
        Instant now = Objects.requireNonNull(dialect.readInstant(rows, "now_at"));
        RowReader reader = RowReader.of(dialect, rows);
        int keyHash = rows.findColumn("key_hash");
        int size = rows.findColumn("size");
        do {
            if (reader.isThere(rows)) {
                OutboxEvent event = reader.one(rows);
                events.add(new Sized(
                        new PendingEvent(reader.seq(rows), rows.getInt(keyHash), event, untilDue(event, now)),
                        rows.getLong(size)));
            }
        } while (rows.next());
        events.sort(Comparator.comparing(Sized::event, order));
        return events;
    }

    private static Duration untilDue(OutboxEvent event, Instant now) {
        return event.status() == EventStatus.RETRY && event.availableAt().isAfter(now)
                ? Duration.between(now, event.availableAt())
                : Duration.ZERO;
    }
}
