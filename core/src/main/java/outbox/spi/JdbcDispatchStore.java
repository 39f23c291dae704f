package outbox.spi;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import outbox.Ordering;
import outbox.internal.JdbcTransaction;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;

/**
 * A {@link DispatchStore} from the JDBC face: every call takes a connection, is one transaction on it at READ
 * COMMITTED, and gives it back as it was.
 *
 * <p>READ COMMITTED because MySQL's default takes gap locks that would stop writers.
 */
public final class JdbcDispatchStore implements DispatchStore {

    private static final Duration ANSWER_LEAST = Duration.ofSeconds(1);
    private static final Duration ANSWER_MOST = Duration.ofMinutes(1);
    /** Whoever asks for the time goes on without it. */
    private static final Duration CLOCK_ANSWER_MAX = Duration.ofSeconds(2);

    private final ConnectionProvider connectionProvider;
    private final ClaimingEventStore eventStore;

    /** Written by whichever thread claims, read by those that settle what was claimed. */
    private volatile Duration answerMax = ANSWER_MOST;

    /** A plain {@link EventStore} is taken too; see {@link SingleInstanceStore} for what it then can and cannot do. */
    public JdbcDispatchStore(ConnectionProvider connectionProvider, EventStore eventStore) {
        this.connectionProvider = connectionProvider;
        this.eventStore = eventStore instanceof ClaimingEventStore claiming
                ? claiming
                : new SingleInstanceStore(eventStore, TimeSource.SYSTEM);
    }

    @Override
    public StoreCapabilities capabilities() {
        return new StoreCapabilities(!(eventStore instanceof SingleInstanceStore));
    }

    @Override
    public OptionalInt connectionsMax() {
        return connectionProvider.connectionsMax();
    }

    @Override
    public Instant now() {
        return JdbcTransaction.run(connectionProvider, CLOCK_ANSWER_MAX, eventStore::now);
    }

    @Override
    public void open(Ordering ordering) {
        inTransaction(conn -> {
            eventStore.open(conn, ordering);
            return ordering;
        });
    }

    @Override
    public List<OutboxEvent> claim(ClaimRequest request) {
        return underLease(request.terms().lease(), conn -> eventStore.claim(conn, request));
    }

    @Override
    public boolean claim(String eventId, ClaimTerms terms) {
        return underLease(terms.lease(), conn -> eventStore.claim(conn, eventId, terms));
    }

    @Override
    public Set<Claim> renew(Set<Claim> claims, Duration lease) {
        return underLease(lease, conn -> eventStore.renew(conn, claims, lease));
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return inTransaction(conn -> eventStore.settle(conn, settlements));
    }

    @Override
    public int release(Set<Claim> claims) {
        return inTransaction(conn -> eventStore.release(conn, claims));
    }

    // A database that has vanished without a word is noticed before another process may claim what this one has.
    private <T> T underLease(Duration lease, Function<Connection, T> work) {
        Duration most = lease.multipliedBy(4).dividedBy(5);
        Duration atLeast = most.compareTo(ANSWER_LEAST) < 0 ? ANSWER_LEAST : most;
        answerMax = atLeast.compareTo(ANSWER_MOST) > 0 ? ANSWER_MOST : atLeast;
        return inTransaction(work);
    }

    private <T> T inTransaction(Function<Connection, T> work) {
        return JdbcTransaction.run(connectionProvider, answerMax, work);
    }
}
