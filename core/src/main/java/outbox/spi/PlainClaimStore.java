package outbox.spi;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import outbox.internal.JdbcTransaction;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;

/**
 * Lets one instance use a plain {@link EventStore}, which has no claims: every polled event counts as claimed, and
 * every mark is written. {@link #isSettledSince} prevents a second delivery of an event that is polled while it is
 * settled.
 */
public final class PlainClaimStore implements ClaimStore, SettleStore {

    private static final int SETTLED_MAX = 10_000;

    private final ConnectionProvider connections;
    private final EventStore plain;
    private final TimeSource time;

    /** When events were settled; the oldest are forgotten. Guarded by the map's lock. */
    private final Map<String, Long> settledNanos = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > SETTLED_MAX;
        }
    };

    public PlainClaimStore(ConnectionProvider connections, EventStore plain) {
        this(connections, plain, TimeSource.SYSTEM);
    }

    public PlainClaimStore(ConnectionProvider connections, EventStore plain, TimeSource time) {
        this.connections = connections;
        this.plain = plain;
        this.time = time;
    }

    /**
     * Whether the event was settled at this time or later. A poll that began before may return it although it is
     * settled.
     *
     * @param nanos by the monotonic clock of the {@link TimeSource}
     */
    public boolean isSettledSince(String eventId, long nanos) {
        synchronized (settledNanos) {
            Long settled = settledNanos.get(eventId);
            return settled != null && settled - nanos >= 0;
        }
    }

    @Override
    public OptionalInt connectionsMax() {
        return connections.connectionsMax();
    }

    /** This machine's time, which a store without claims uses for everything. */
    @Override
    public Instant now() {
        return time.instant();
    }

    @Override
    public void open() {
        inTransaction(conn -> conn); // Fails when the database cannot be reached.
    }

    @Override
    public List<OutboxEvent> claim(ClaimRequest request) {
        return request.suspects()
                ? List.of()
                : inTransaction(
                        conn -> plain.pollPending(conn, time.instant(), request.skipRecent(), request.eventsMax()));
    }

    @Override
    public boolean claimOne(String eventId, ClaimTerms terms) {
        return true;
    }

    @Override
    public Set<Claim> renew(Set<Claim> claims, Duration lease) {
        return claims;
    }

    @Override
    public int release(Set<Claim> claims) {
        return claims.size();
    }

    @Override
    public SettleResult settle(SettleRequest request) {
        SettleResult.Settled settled = inTransaction(conn -> new SettleResult.Settled(request.items().stream()
                .map(item -> SettleResult.Item.written(mark(conn, item.settlement()) > 0))
                .toList()));
        synchronized (settledNanos) {
            for (SettleItem item : request.items()) {
                settledNanos.remove(item.eventId()); // So that it becomes the youngest.
                settledNanos.put(item.eventId(), time.nanoTime());
            }
        }
        return settled;
    }

    private int mark(Connection conn, Settlement settlement) {
        String eventId = settlement.claim().eventId();
        return switch (settlement) {
            case Settlement.Done done -> plain.markDone(conn, eventId);
            case Settlement.Retry retry ->
                plain.markRetry(conn, eventId, time.instant().plus(retry.delay()), retry.error());
            case Settlement.Postponed postponed ->
                1; // There is no mark that counts no attempt; the event stays pending.
            case Settlement.Dead dead -> plain.markDead(conn, eventId, dead.error());
        };
    }

    private <T> T inTransaction(Function<Connection, T> work) {
        return JdbcTransaction.run(connections, work);
    }
}
