package outbox.relay.internal.loop;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.relay.internal.claim.Cursor;
import outbox.relay.internal.claim.FetchLimits;
import outbox.relay.internal.claim.Fetcher;
import outbox.relay.internal.claim.PartitionReader;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.internal.order.Lanes;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayListener;
import outbox.spi.TimeSource;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest;

/** Claims by ownership: scans the slot, and looks up the lanes that the scan has passed. */
public final class PartitionClaimer implements Claimer {

    private static final FetchLimits LIMITS = FetchLimits.MEASURED;

    /** How often a slot is read from its beginning all the same: a row may have been given a number below its bound. */
    private static final long ANEW_NANOS = Duration.ofMinutes(10).toNanos();

    private final Fetcher fetcher;
    private final ClusterLayout terms;
    private final PartitionOwnership ownership;
    private final String token;
    private final PartitionReader reader;
    private final RelayContext relay;
    private final int fetchMax;

    /** Set by any thread; taken by the slot's turn before it looks, so that no wake-up is swallowed. */
    private final AtomicBoolean fetchWanted = new AtomicBoolean(true);

    private long startedOverNanos;

    /** Of the events that the last look brought, in the mean. */
    private long bytesPerEvent = 1;

    public PartitionClaimer(Fetcher fetcher, ClusterLayout terms, PartitionOwnership ownership, RelayContext relay) {
        this.fetcher = fetcher;
        this.terms = terms;
        this.ownership = ownership;
        this.token = ownership.token();
        this.reader = new PartitionReader(terms, ownership.slot());
        this.relay = relay;
        this.fetchMax = relay.config().claim().fetchMax();
        this.startedOverNanos = relay.time().nanoTime();
    }

    @Override
    public int fill(Lanes lanes, boolean anyRoom) {
        return fetchLanes(lanes) + fetch(lanes, anyRoom);
    }

    private int fetchLanes(Lanes lanes) {
        int capacity = lanes.fetchCapacityLeft();
        if (capacity == 0 || !lanes.hasLanesToFetch()) {
            return 0;
        }
        Set<Integer> ids = lanes.takeLanesToFetch(Math.min(LIMITS.lanesPerFetch(), capacity));
        if (ids.isEmpty()) {
            return 0;
        }
        List<LanePage> pages;
        try {
            pages = fetcher.fetchLanes(new LaneFetch(ids, Math.max(1, capacity / ids.size()), lanes.bytesLeft()));
        } catch (RuntimeException e) {
            lanes.fetchFailed(ids);
            throw e;
        }
        Set<Integer> missing = new HashSet<>(ids);
        int taken = 0;
        for (LanePage lanePage : pages) {
            missing.remove(lanePage.keyHash());
            Lanes.Accepted arrival = lanes.acceptLane(lanePage, time().nanoTime());
            taken += arrival.events();
            if (arrival.withoutRoute()) {
                park(lanePage.keyHash(), lanes, "no route matches its next event");
            }
        }
        missing.forEach(lane -> park(lane, lanes, "its next event cannot be read"));
        return taken;
    }

    private void park(int lane, Lanes lanes, String reason) {
        lanes.waiting()
                .park(lane, time().nanoTime() + relay.pacing().recheckAfter().toNanos());
        listener().on(new RelayEvent.Parked(ownership.slot(), lane, reason));
    }

    private int fetch(Lanes lanes, boolean anyRoom) {
        boolean fits = hasCapacity(lanes) || (anyRoom && lanes.capacityLeft() > 0);
        if (!fits || !fetchWanted.getAndSet(false)) {
            return 0;
        }
        try {
            Cursor cursor = new Cursor(reader.request(fetchLimit(lanes)), lanes.removals());
            return accept(lanes, cursor, fetcher.fetch(cursor.request()));
        } catch (RuntimeException e) {
            fetchWanted.set(true);
            throw e;
        }
    }

    // What is in memory may be read again, and must not take the place of what is not.
    private PartitionReader.Capacity fetchLimit(Lanes lanes) {
        int inMemory = lanes.countAbove(reader.bound());
        long bytes = lanes.bytesLeft() + (inMemory == 0 ? 0 : lanes.bytes());
        return new PartitionReader.Capacity(eventsFor(lanes, fetchMax) + inMemory, bytes, lanes.skippedLanes());
    }

    // What others fetch leaves out what is in memory.
    private PartitionReader.Capacity prefetchLimit(Lanes lanes) {
        Set<String> inMemory = lanes.idsAbove(reader.bound());
        return new PartitionReader.Capacity(
                eventsFor(lanes, LIMITS.prefetchEventsMax()), lanes.bytesLeft(), lanes.skippedLanes(), inMemory);
    }

    private int eventsFor(Lanes lanes, int eventsMax) {
        return Math.min(eventsMax, Math.min(lanes.capacityLeft(), eventsFitting(lanes.bytesLeft())));
    }

    /** How many events fit if they are as large as the last ones, or a quarter larger. More would be read for nothing. */
    private int eventsFitting(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, 1 + bytes * 4 / (bytesPerEvent * 5));
    }

    @Override
    public @Nullable Cursor cursor(Lanes lanes) {
        boolean fetchesItself = fetchWanted.get()
                || lanes.events() > LIMITS.selfFetchAbove()
                || lanes.skippedLanes().size() > LIMITS.leftOutMax()
                || !hasCapacity(lanes);
        return fetchesItself ? null : new Cursor(reader.request(prefetchLimit(lanes)), lanes.removals());
    }

    @Override
    public int accept(Lanes lanes, Cursor cursor, PartitionPage page) {
        if (cursor.removals() != lanes.removals() || !reader.isCurrent(cursor.request())) {
            fetchWanted.set(true);
            return 0;
        }
        if (page.horizon().equals(Horizon.SEQUENCE_RESET)) {
            lanes.sequenceReset();
            fetchWanted.set(true);
        }
        long bytesBefore = lanes.bytes();
        int taken = lanes.accept(reader.accept(page), time().nanoTime());
        if (taken > 0) {
            bytesPerEvent = Math.max(1, (lanes.bytes() - bytesBefore) / taken);
        }
        lanes.readTo(reader.bound());
        if (!page.complete()) {
            fetchWanted.set(true);
        }
        return taken;
    }

    private TimeSource time() {
        return relay.time();
    }

    private RelayListener listener() {
        return relay.listener();
    }

    /** Nothing to renew: the slot is held as a whole. */
    @Override
    public void maintain(Lanes lanes) {
        long now = time().nanoTime();
        if (now - startedOverNanos >= ANEW_NANOS) {
            startedOverNanos = now;
            lanes.waiting().recheckOverflow();
            reader.startOver(); // The next poll or wake-up reads from there; when nothing is pending, nothing is read.
        }
    }

    @Override
    public void startOver() {
        reader.startOver();
        wake();
    }

    @Override
    public void wake() {
        fetchWanted.set(true);
    }

    // Not for every few events that leave: a look costs much the same for ten events as for a hundred.
    @Override
    public boolean hasCapacity(Lanes lanes) {
        return lanes.capacityLeft() >= Math.max(1, Math.min(fetchMax, lanes.capacity()) / 2)
                && lanes.bytesLeft() >= lanes.capacityBytes() / 8;
    }

    @Override
    public boolean fetchesUnprompted() {
        return fetchWanted.get();
    }

    @Override
    public boolean isReady(Lanes lanes) {
        return (fetchWanted.get() && hasCapacity(lanes)) || (lanes.hasLanesToFetch() && lanes.fetchCapacityLeft() > 0);
    }

    @Override
    public boolean owns(int lane) {
        return terms.slotOf(lane) == ownership.slot();
    }

    @Override
    public Claim claimOf(LaneEvent event) {
        return new Claim(event.event().eventId(), token, event.event().state().replays());
    }

    @Override
    public boolean keepsOrder() {
        return true;
    }

    @Override
    public void settled(List<LaneEvent> events) {}

    /** Nothing to give back: whoever owns the slot next reads it anew. */
    @Override
    public void release(Lanes lanes) {}

    @Override
    public PeekRequest.Position position(Lanes lanes) {
        return reader.position(lanes.skippedLanes());
    }
}
