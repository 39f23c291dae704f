package outbox.spi;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.Ordering;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;

/**
 * A JDBC store for several instances on one table: {@link PublishStore} and {@link DispatchStore} with a
 * connection, whose promises hold here word for word. No method closes or commits the connection.
 */
public interface ClaimingEventStore extends EventStore {

    /** See {@link PublishStore#store}. */
    void insertNew(Connection conn, List<EventEnvelope> events, @Nullable ClaimTerms claim);

    /** See {@link DispatchStore#now}. */
    Instant now(Connection conn);

    /** See {@link DispatchStore#open}. */
    void open(Connection conn, Ordering ordering);

    /** See {@link DispatchStore#claim(ClaimRequest)}. */
    List<OutboxEvent> claim(Connection conn, ClaimRequest request);

    /** See {@link DispatchStore#claim(String, ClaimTerms)}. */
    boolean claim(Connection conn, String eventId, ClaimTerms terms);

    /** See {@link DispatchStore#renew}. */
    Set<Claim> renew(Connection conn, Set<Claim> claims, Duration lease);

    /**
     * See {@link DispatchStore#settle}. It needs a transaction of its own: one that only says that events are done may be
     * committed without waiting for the disk.
     */
    int settle(Connection conn, List<Settlement> settlements);

    /** See {@link DispatchStore#release}. */
    int release(Connection conn, Set<Claim> claims);
}
