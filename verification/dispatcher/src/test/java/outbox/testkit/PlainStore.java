package outbox.testkit;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.EventStore;

/** An {@link EventStore} that knows no claims, as an application may have written one before there were any. */
public class PlainStore implements EventStore {

    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final ManualTime time;

    public PlainStore(ManualTime time) {
        this.time = time;
    }

    public EventStatus status(EventEnvelope event) {
        return row(event.eventId()).state().status();
    }

    public Instant availableAt(EventEnvelope event) {
        return row(event.eventId()).state().availableAt();
    }

    private synchronized Row row(String eventId) {
        Row row = rows.get(eventId);
        if (row == null) {
            throw new IllegalArgumentException("no event " + eventId + " is stored");
        }
        return row;
    }

    @Override
    public synchronized void insertNew(Connection conn, EventEnvelope event) {
        rows.put(event.eventId(), Row.inserted(rows.size(), event, null, time.instant()));
    }

    @Override
    public int markDone(Connection conn, String eventId) {
        return mark(eventId, Settlement.Done::new);
    }

    @Override
    public int markRetry(Connection conn, String eventId, Instant nextAt, String error) {
        return mark(eventId, claim -> new Settlement.Retry(claim, Duration.between(time.instant(), nextAt), error));
    }

    @Override
    public int markDead(Connection conn, String eventId, String error) {
        return mark(eventId, claim -> new Settlement.Dead(claim, error));
    }

    private synchronized int mark(String eventId, Function<Claim, Settlement> settlement) {
        Row row = row(eventId);
        if (row.state().status() == EventStatus.DONE) {
            return 0;
        }
        rows.put(eventId, row.settled(settlement.apply(new Claim(eventId, "none")), time.instant()));
        return 1;
    }

    @Override
    public synchronized List<OutboxEvent> pollPending(Connection conn, Instant now, Duration skipRecent, int limit) {
        return rows.values().stream()
                .filter(row -> row.isPending()
                        && !row.state().createdAt().isAfter(time.instant().minus(skipRecent)))
                .sorted(Comparator.comparingLong(Row::seq))
                .limit(limit)
                .map(Row::read)
                .toList();
    }
}
