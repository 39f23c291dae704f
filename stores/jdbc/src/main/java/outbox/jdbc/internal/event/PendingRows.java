package outbox.jdbc.internal.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.RowReader;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.relay.FetchedEvent;

/**
 * Reads the rows of a fetch of partitions or lanes.
 *
 * @param keyHash where the columns stand that surround those of the event
 */
public record PendingRows(RowReader reader, int keyHash, int size, int nowAt) {

    /** An event and the size of its payload. */
    public record Sized(FetchedEvent event, long size) {}

    public static PendingRows of(Dialect dialect, ResultSet rows) throws SQLException {
        return new PendingRows(
                RowReader.of(dialect, rows),
                rows.findColumn("key_hash"),
                rows.findColumn("size"),
                rows.findColumn("now_at"));
    }

    /**
     * The rows from the current one on, in the order asked for; a row without an event stands for none.
     *
     * @param unreadable is given what cannot be delivered as it is; then this read does not count
     */
    public static List<Sized> all(
            Dialect dialect, ResultSet rows, Comparator<FetchedEvent> order, Consumer<SetAside.BadRow> unreadable)
            throws SQLException {
        PendingRows reading = of(dialect, rows);
        List<Sized> events = new ArrayList<>();
        do {
            if (reading.isEvent(rows)) {
                events.add(reading.one(rows, unreadable));
            }
        } while (rows.next());
        events.sort(Comparator.comparing(Sized::event, order));
        return events;
    }

    public boolean isEvent(ResultSet row) throws SQLException {
        return reader.isThere(row);
    }

    public Sized one(ResultSet row, Consumer<SetAside.BadRow> unreadable) throws SQLException {
        StoredRow stored = reader.one(row);
        int hash = row.getInt(keyHash);
        if (!stored.isReadable() || hash < 0) {
            unreadable.accept(new SetAside.BadRow(stored, hash));
        }
        OutboxEvent event = stored.event();
        return new Sized(new FetchedEvent(stored.seq(), hash, event, untilDue(event, row)), row.getLong(size));
    }

    // The time is read only where it matters, which is seldom.
    private Duration untilDue(OutboxEvent event, ResultSet row) throws SQLException {
        if (event.status() != EventStatus.RETRY) {
            return Duration.ZERO;
        }
        Instant now = Objects.requireNonNull(reader.dialect().readInstant(row, nowAt));
        return event.availableAt().isAfter(now) ? Duration.between(now, event.availableAt()) : Duration.ZERO;
    }
}
