package outbox.spi;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.Ordering;
import outbox.UnsupportedOrderingException;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;

/**
 * Lets a plain {@link EventStore}, which knows no claims, serve one instance: whatever it polls counts as claimed,
 * and every mark is written. The in-flight tracker alone keeps an event from being processed twice at a time.
 */
final class SingleInstanceStore implements ClaimingEventStore {

    private final EventStore plain;
    private final InstantSource time;

    SingleInstanceStore(EventStore plain, InstantSource time) {
        this.plain = plain;
        this.time = time;
    }

    @Override
    public void open(Connection conn, Ordering ordering) {
        if (ordering == Ordering.KEY) {
            throw new UnsupportedOrderingException("ordering=key needs a store that can claim events, and "
                    + plain.getClass().getName() + " is a plain EventStore. Use a ClaimingEventStore such as"
                    + " JdbcOutboxRepository, or ordering=none.");
        }
    }

    /** This machine's time, by which a store without claims is worked in everything. */
    @Override
    public Instant now(Connection conn) {
        return time.instant();
    }

    @Override
    public List<OutboxEvent> claim(Connection conn, ClaimRequest request) {
        return plain.pollPending(conn, time.instant(), request.skipRecent(), request.eventsMax());
    }

    @Override
    public boolean claim(Connection conn, String eventId, ClaimTerms terms) {
        return true;
    }

    @Override
    public Set<Claim> renew(Connection conn, Set<Claim> claims, Duration lease) {
        return claims;
    }

    @Override
    public int settle(Connection conn, List<Settlement> settlements) {
        return settlements.stream()
                .mapToInt(settlement -> mark(conn, settlement))
                .sum();
    }

    private int mark(Connection conn, Settlement settlement) {
        String eventId = settlement.claim().eventId();
        return switch (settlement) {
            case Settlement.Done done -> plain.markDone(conn, eventId);
            case Settlement.Retry retry ->
                plain.markRetry(conn, eventId, time.instant().plus(retry.delay()), retry.error());
            case Settlement.Postponed postponed ->
                1; // It knows no mark that counts no attempt; the event stays pending.
            case Settlement.Dead dead -> plain.markDead(conn, eventId, dead.error());
        };
    }

    @Override
    public int release(Connection conn, Set<Claim> claims) {
        return claims.size();
    }

    @Override
    public void insertNew(Connection conn, EventEnvelope event) {
        plain.insertNew(conn, event);
    }

    @Override
    public void insertNew(Connection conn, List<EventEnvelope> events, @Nullable ClaimTerms claim) {
        events.forEach(event -> plain.insertNew(conn, event));
    }

    @Override
    public int markDone(Connection conn, String eventId) {
        return plain.markDone(conn, eventId);
    }

    @Override
    public int markRetry(Connection conn, String eventId, Instant nextAt, String error) {
        return plain.markRetry(conn, eventId, nextAt, error);
    }

    @Override
    public int markDead(Connection conn, String eventId, String error) {
        return plain.markDead(conn, eventId, error);
    }

    @Override
    public List<OutboxEvent> pollPending(Connection conn, Instant now, Duration skipRecent, int limit) {
        return plain.pollPending(conn, now, skipRecent, limit);
    }
}
