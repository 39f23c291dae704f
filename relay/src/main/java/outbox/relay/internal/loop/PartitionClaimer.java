package outbox.relay.internal.loop;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.relay.internal.claim.Cursor;
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

/** Claims by ownership: fetches the events of the partition, and separately those of lanes that were skipped. */
public final class PartitionClaimer implements Claimer {

    /** Lanes that are fetched together. */
    private static final int LANES_PER_FETCH = 100;
    /** With more events in memory a loop fetches for itself, as many as fit. */
    private static final int SELF_FETCH_ABOVE = 200;
    /** With more lanes to leave out, too: a prefetch compares each row with each of them. */
    private static final int LEFT_OUT_MAX = 50;
    /** How many events are prefetched for a loop, which fetches the rest itself. */
    private static final int PREFETCH_EVENTS_MAX = 50;
    /** How often a partition is fetched from its beginning in any case: a row may have a number below the bound. */
    private static final long START_OVER_NANOS = Duration.ofMinutes(10).toNanos();

    private final Fetcher fetcher;
    private final ClusterLayout layout;
    private final PartitionOwnership ownership;
    private final String token;
    private final PartitionReader reader;
    private final RelayContext relay;
    private final int fetchMax;

    /** Set by any thread; cleared by the loop before it fetches, so that no wake-up is swallowed. */
    private final AtomicBoolean fetchWanted = new AtomicBoolean(true);

    private long startedOverNanos;

    /** The mean of the events that the last page brought. */
    private long bytesPerEvent = 1;

    public PartitionClaimer(Fetcher fetcher, ClusterLayout layout, PartitionOwnership ownership, RelayContext relay) {
        this.fetcher = fetcher;
        this.layout = layout;
        this.ownership = ownership;
        this.token = ownership.token();
        this.reader = new PartitionReader(layout, ownership.partition());
        this.relay = relay;
        this.fetchMax = relay.config().claim().fetchMax();
        this.startedOverNanos = relay.time().nanoTime();
    }

    @Override
    public int fill(Lanes lanes, boolean anyRoom) {
        return fetchLanes(lanes) + fetch(lanes, anyRoom);
    }

    private int fetchLanes(Lanes lanes) {
        int capacity = lanes.memory().capacityLeft();
        if (capacity == 0 || !lanes.hasLanesToFetch()) {
            return 0;
        }
        Set<Integer> ids = lanes.takeLanesToFetch(Math.min(LANES_PER_FETCH, capacity));
        if (ids.isEmpty()) {
            return 0;
        }
        List<LanePage> pages;
        try {
            pages = fetcher.fetchLanes(new LaneFetch(
                    ids, Math.max(1, capacity / ids.size()), lanes.memory().bytesLeft()));
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
        listener().on(new RelayEvent.Parked(ownership.partition(), lane, reason));
    }

    private int fetch(Lanes lanes, boolean anyRoom) {
        boolean fits = hasCapacity(lanes) || (anyRoom && lanes.fetchCapacity() > 0);
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

    // What is in memory may be read again, and must not take up the places of other events.
    private PartitionReader.Capacity fetchLimit(Lanes lanes) {
        int inMemory = lanes.countAbove(reader.bound());
        long bytes =
                lanes.memory().bytesLeft() + (inMemory == 0 ? 0 : lanes.memory().bytes());
        return new PartitionReader.Capacity(eventsFor(lanes, fetchMax) + inMemory, bytes, lanes.skippedLanes());
    }

    // A prefetch leaves out what is in memory.
    private PartitionReader.Capacity prefetchLimit(Lanes lanes) {
        Set<String> inMemory = lanes.memory().idsAbove(reader.bound());
        return new PartitionReader.Capacity(
                eventsFor(lanes, PREFETCH_EVENTS_MAX), lanes.memory().bytesLeft(), lanes.skippedLanes(), inMemory);
    }

    private int eventsFor(Lanes lanes, int eventsMax) {
        return Math.min(
                eventsMax,
                Math.min(lanes.fetchCapacity(), eventsFitting(lanes.memory().bytesLeft())));
    }

    /** How many events fit if they are a quarter larger than the last ones. More would be read for nothing. */
    private int eventsFitting(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, 1 + bytes * 4 / (bytesPerEvent * 5));
    }

    @Override
    public @Nullable Cursor cursor(Lanes lanes) {
        boolean fetchesItself = fetchWanted.get()
                || lanes.memory().events() > SELF_FETCH_ABOVE
                || lanes.skippedLanes().size() > LEFT_OUT_MAX
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
        long bytesBefore = lanes.memory().bytes();
        int taken = lanes.accept(reader.accept(page), time().nanoTime());
        if (taken > 0) {
            bytesPerEvent = Math.max(1, (lanes.memory().bytes() - bytesBefore) / taken);
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

    /** Has nothing to renew: the partition is owned as a whole. */
    @Override
    public void maintain(Lanes lanes) {
        long now = time().nanoTime();
        if (now - startedOverNanos >= START_OVER_NANOS) {
            startedOverNanos = now;
            lanes.waiting().recheckOverflow();
            reader.startOver(); // For the next peek or wake-up; while nothing is pending, nothing is fetched.
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

    // Not for every few events that leave: a fetch of ten events costs nearly as much as one of a hundred.
    @Override
    public boolean hasCapacity(Lanes lanes) {
        return lanes.fetchCapacity()
                        >= Math.max(1, Math.min(fetchMax, lanes.memory().capacity()) / 2)
                && lanes.memory().bytesLeft() >= lanes.memory().capacityBytes() / 8;
    }

    @Override
    public boolean fetchesUnprompted() {
        return fetchWanted.get();
    }

    @Override
    public boolean isReady(Lanes lanes) {
        return (fetchWanted.get() && hasCapacity(lanes))
                || (lanes.hasLanesToFetch() && lanes.memory().capacityLeft() > 0);
    }

    @Override
    public boolean owns(int lane) {
        return layout.partitionOf(lane) == ownership.partition();
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

    /** Has nothing to release: the next owner of the partition fetches it from its beginning. */
    @Override
    public void release(Lanes lanes) {}

    @Override
    public PeekRequest.Position position(Lanes lanes) {
        return reader.position(lanes.skippedLanes());
    }
}
