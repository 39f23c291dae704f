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
    private final PartitionOwnership hold;
    private final String token;
    private final PartitionReader reader;
    private final RelayContext around;
    private final int fetchMax;

    /** Set by any thread; taken by the slot's turn before it looks, so that no wake-up is swallowed. */
    private final AtomicBoolean wanted = new AtomicBoolean(true);

    private long begunNanos;

    /** Of the events that the last look brought, in the mean. */
    private long bytesPerEvent = 1;

    public PartitionClaimer(Fetcher fetcher, ClusterLayout terms, PartitionOwnership hold, RelayContext around) {
        this.fetcher = fetcher;
        this.terms = terms;
        this.hold = hold;
        this.token = hold.token();
        this.reader = new PartitionReader(terms, hold.partition());
        this.around = around;
        this.fetchMax = around.config().claim().fetchMax();
        this.begunNanos = around.time().nanoTime();
    }

    @Override
    public int fill(Lanes lanes, boolean little) {
        return lookUp(lanes) + scan(lanes, little);
    }

    private int lookUp(Lanes lanes) {
        int room = lanes.lookUpRoom();
        if (room == 0 || !lanes.hasLookUps()) {
            return 0;
        }
        Set<Integer> ids = lanes.takeLookUps(Math.min(LIMITS.lanesPerFetch(), room));
        if (ids.isEmpty()) {
            return 0;
        }
        List<LanePage> contents;
        try {
            contents = fetcher.fetchLanes(new LaneFetch(ids, Math.max(1, room / ids.size()), lanes.roomBytes()));
        } catch (RuntimeException e) {
            lanes.lookUpFailed(ids);
            throw e;
        }
        Set<Integer> missing = new HashSet<>(ids);
        int taken = 0;
        for (LanePage content : contents) {
            missing.remove(content.keyHash());
            Lanes.Arrival arrival = lanes.acceptLane(content, time().nanoTime());
            taken += arrival.events();
            if (arrival.withoutRoute()) {
                park(content.keyHash(), lanes, "no route matches its next event");
            }
        }
        missing.forEach(lane -> park(lane, lanes, "its next event cannot be read"));
        return taken;
    }

    private void park(int lane, Lanes lanes, String reason) {
        lanes.waiting()
                .park(lane, time().nanoTime() + around.pacing().recheckAfter().toNanos());
        listener().on(new RelayEvent.Parked(hold.partition(), lane, reason));
    }

    private int scan(Lanes lanes, boolean little) {
        boolean fits = hasRoom(lanes) || (little && lanes.room() > 0);
        if (!fits || !wanted.getAndSet(false)) {
            return 0;
        }
        try {
            Cursor cursor = new Cursor(reader.request(room(lanes)), lanes.departures());
            return accept(lanes, cursor, fetcher.fetch(cursor.request()));
        } catch (RuntimeException e) {
            wanted.set(true);
            throw e;
        }
    }

    // What is in memory may be read again, and must not take the place of what is not.
    private PartitionReader.Room room(Lanes lanes) {
        int known = lanes.knownAbove(reader.bound());
        long bytes = lanes.roomBytes() + (known == 0 ? 0 : lanes.bytes());
        return new PartitionReader.Room(roomFor(lanes, fetchMax) + known, bytes, lanes.passedLanes());
    }

    // What others fetch leaves out what is in memory.
    private PartitionReader.Room roomAhead(Lanes lanes) {
        Set<String> known = lanes.idsKnownAbove(reader.bound());
        return new PartitionReader.Room(
                roomFor(lanes, LIMITS.prefetchEventsMax()), lanes.roomBytes(), lanes.passedLanes(), known);
    }

    private int roomFor(Lanes lanes, int eventsMax) {
        return Math.min(eventsMax, Math.min(lanes.room(), fitting(lanes.roomBytes())));
    }

    /** How many events fit if they are as large as the last ones, or a quarter larger. More would be read for nothing. */
    private int fitting(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, 1 + bytes * 4 / (bytesPerEvent * 5));
    }

    @Override
    public @Nullable Cursor cursor(Lanes lanes) {
        boolean itself = wanted.get()
                || lanes.events() > LIMITS.selfFetchAbove()
                || lanes.passedLanes().size() > LIMITS.leftOutMax()
                || !hasRoom(lanes);
        return itself ? null : new Cursor(reader.request(roomAhead(lanes)), lanes.departures());
    }

    @Override
    public int accept(Lanes lanes, Cursor cursor, PartitionPage page) {
        if (cursor.departures() != lanes.departures() || !reader.isCurrent(cursor.request())) {
            wanted.set(true);
            return 0;
        }
        if (page.horizon().equals(Horizon.SEQUENCE_RESET)) {
            lanes.renumbered();
            wanted.set(true);
        }
        long bytesBefore = lanes.bytes();
        int taken = lanes.accept(reader.accept(page), time().nanoTime());
        if (taken > 0) {
            bytesPerEvent = Math.max(1, (lanes.bytes() - bytesBefore) / taken);
        }
        lanes.readTo(reader.bound());
        if (!page.complete()) {
            wanted.set(true);
        }
        return taken;
    }

    private TimeSource time() {
        return around.time();
    }

    private RelayListener listener() {
        return around.listener();
    }

    /** Nothing to renew: the slot is held as a whole. */
    @Override
    public void keep(Lanes lanes) {
        long now = time().nanoTime();
        if (now - begunNanos >= ANEW_NANOS) {
            begunNanos = now;
            lanes.waiting().bringBack();
            reader.beginAnew(); // The next poll or wake-up reads from there; when nothing is pending, nothing is read.
        }
    }

    @Override
    public void beginAnew() {
        reader.beginAnew();
        wake();
    }

    @Override
    public void wake() {
        wanted.set(true);
    }

    // Not for every few events that leave: a look costs much the same for ten events as for a hundred.
    @Override
    public boolean hasRoom(Lanes lanes) {
        return lanes.room() >= Math.max(1, Math.min(fetchMax, lanes.capacity()) / 2)
                && lanes.roomBytes() >= lanes.capacityBytes() / 8;
    }

    @Override
    public boolean fetchesUnprompted() {
        return wanted.get();
    }

    @Override
    public boolean isReady(Lanes lanes) {
        return (wanted.get() && hasRoom(lanes)) || (lanes.hasLookUps() && lanes.lookUpRoom() > 0);
    }

    @Override
    public boolean owns(int lane) {
        return terms.partitionOf(lane) == hold.partition();
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
    public void giveBack(Lanes lanes) {}

    @Override
    public PeekRequest.Position position(Lanes lanes) {
        return reader.position(lanes.passedLanes());
    }
}
