package outbox.spi;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;

/** A plain store that notes what it is asked, changes one row for each mark, and fails when it is told to. */
final class FakeEventStore implements EventStore {

    final List<String> calls = new ArrayList<>();
    final List<Connection> connections = new ArrayList<>();
    final List<OutboxEvent> pending = new ArrayList<>();

    @Nullable
    RuntimeException failure;

    @Override
    public void insertNew(Connection conn, EventEnvelope event) {
        note(conn, "insert " + event.eventId());
    }

    @Override
    public int markDone(Connection conn, String eventId) {
        return note(conn, "done " + eventId);
    }

    @Override
    public int markRetry(Connection conn, String eventId, Instant nextAt, String error) {
        return note(conn, "retry " + eventId + " " + nextAt + " " + error);
    }

    @Override
    public int markDead(Connection conn, String eventId, String error) {
        return note(conn, "dead " + eventId + " " + error);
    }

    @Override
    public List<OutboxEvent> pollPending(Connection conn, Instant now, Duration skipRecent, int limit) {
        note(conn, "poll " + now + " " + skipRecent + " " + limit);
        return pending;
    }

    private int note(Connection conn, String call) {
        connections.add(conn);
        calls.add(call);
        if (failure != null) {
            throw failure;
        }
        return 1;
    }
}
