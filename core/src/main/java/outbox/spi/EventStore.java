package outbox.spi;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;

/**
 * The plain JDBC store, enough for one application instance. It has no claims; several instances, and order per key,
 * need a {@link ClaimingEventStore}.
 *
 * <p>No method closes or commits the connection it is given. Marks leave a DONE event as it is and return the
 * number of rows changed.
 */
public interface EventStore {

    /**
     * Stores a new event in the connection's transaction.
     *
     * @throws outbox.DuplicateEventException when the event id is already stored
     */
    void insertNew(Connection conn, EventEnvelope event);

    int markDone(Connection conn, String eventId);

    int markRetry(Connection conn, String eventId, Instant nextAt, String error);

    int markDead(Connection conn, String eventId, String error);

    /**
     * Pending events that are due at {@code now} and were created at least {@code skipRecent} before it, oldest first.
     */
    List<OutboxEvent> pollPending(Connection conn, Instant now, Duration skipRecent, int limit);
}
