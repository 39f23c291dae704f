package outbox.relay.internal.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.OutboxEvent;
import outbox.relay.RelayConfig;
import outbox.relay.internal.claim.Cursor;
import outbox.relay.internal.claim.FetchLimits;
import outbox.relay.internal.claim.Fetcher;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.internal.order.Lanes;
import outbox.spi.ClaimRequest;
import outbox.spi.ClaimStore;
import outbox.spi.TimeSource;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest;

/**
 * Claims by lease: each row with a token, by any number of nodes. What a crashed node held is claimed again when its
 * lease is over. Lanes keep order among what this node holds, and only there.
 */
public final class LeaseClaimer implements Claimer {

    private final ClaimStore store;
    private final Fetcher fetcher;
    private final RelayConfig.ClaimConfig config;
    private final TimeSource time;
    private final Supplier<String> tokens;
    private final long setAsideForNanos;
    private final long suspectsEveryNanos;
    private final AtomicBoolean claimWanted = new AtomicBoolean(true);

    // Only the loop's turn touches these.
    private final Map<String, Held> held = new HashMap<>();

    /** A claim, the number under which its event is known to the lanes, and how often that event had been replayed. */
    private record Held(Claim claim, long seq, int replays) {}

    /** The claim of an event that may have ended other nodes: no other such event is here meanwhile. */
    private @Nullable Claim suspect;

    private boolean suspectsLikely = true;
    private long suspectsAskedNanos;

    /** Claims whose events could not be taken, and since when. */
    private final Set<Claim> setAside = new HashSet<>();

    private long setAsideNanos;
    private long sequence;
    private long renewedNanos;

    public LeaseClaimer(ClaimStore store, Fetcher fetcher, RelayContext relay, Supplier<String> tokens) {
        this.store = store;
        this.fetcher = fetcher;
        this.config = relay.config().claim();
        this.time = relay.time();
        this.tokens = tokens;
        this.setAsideForNanos = relay.pacing().recheckAfter().dividedBy(6).toNanos();
        this.suspectsEveryNanos = 2 * setAsideForNanos;
        this.renewedNanos = time.nanoTime();
        this.suspectsAskedNanos = renewedNanos;
    }

    @Override
    public int fill(Lanes lanes, boolean anyRoom) {
        forgetSkippedLanes(lanes);
        boolean fits = hasCapacity(lanes) || (anyRoom && lanes.capacityLeft() > 0);
        if (!fits || !claimWanted.getAndSet(false)) {
            return 0;
        }
        try {
            int suspects = claimSuspect(lanes);
            return suspects + claim(lanes);
        } catch (RuntimeException e) {
            claimWanted.set(true);
            throw e;
        }
    }

    // Lanes drop what waits when a key is put on hold or a route has too much: others may have it then.
    private void releaseDropped(Lanes lanes) {
        if (held.size() > lanes.events()) {
            Set<Claim> dropped = new HashSet<>();
            held.forEach((id, each) -> {
                if (!lanes.contains(each.seq(), id)) {
                    dropped.add(each.claim());
                }
            });
            store.release(dropped);
            dropped.forEach(claim -> held.remove(claim.eventId()));
        }
    }

    // There are next to none, so not every claim asks for them.
    private int claimSuspect(Lanes lanes) {
        long now = time.nanoTime();
        boolean isTime = suspectsLikely || now - suspectsAskedNanos >= suspectsEveryNanos;
        if (!isTime || isHeld(suspect)) {
            return 0;
        }
        suspectsAskedNanos = now;
        ClaimTerms terms = terms();
        List<OutboxEvent> claimed = store.claim(ClaimRequest.oneSuspect(terms));
        suspectsLikely = !claimed.isEmpty();
        claimed.forEach(event -> suspect = new Claim(event.eventId(), terms.token()));
        return acceptClaimed(lanes, claimed, terms).events();
    }

    // One that could not be taken is not tried, and must not keep the others from being tried.
    private boolean isHeld(@Nullable Claim claim) {
        Held holding = claim == null ? null : held.get(claim.eventId());
        return holding != null && holding.claim().equals(claim);
    }

    private ClaimTerms terms() {
        return new ClaimTerms(tokens.get(), config.lease());
    }

    private int claim(Lanes lanes) {
        int eventsMax = Math.min(config.fetchMax(), lanes.capacityLeft());
        if (eventsMax == 0) {
            claimWanted.set(true);
            return 0;
        }
        ClaimTerms terms = terms();
        List<OutboxEvent> claimed = store.claim(new ClaimRequest(terms, Duration.ZERO, eventsMax, lanes.bytesLeft()));
        Accepted taken = acceptClaimed(lanes, claimed, terms);
        // When rows had to be given back, asking again at once would claim the same ones.
        claimWanted.compareAndSet(false, claimed.size() == eventsMax && taken.all());
        return taken.events();
    }

    /** How many events were new, and whether none had to be given back. */
    private record Accepted(int events, boolean all) {}

    private Accepted acceptClaimed(Lanes lanes, List<OutboxEvent> claimed, ClaimTerms terms) {
        Set<Claim> refused = new HashSet<>();
        int taken = 0;
        for (FetchedEvent fetched : fetched(claimed, terms)) {
            OutboxEvent event = fetched.event();
            Claim claim = new Claim(event.eventId(), terms.token());
            Held old = held.get(event.eventId());
            int replays = event.state().replays();
            if (old != null && old.replays() == replays) {
                held.put(
                        event.eventId(), new Held(claim, old.seq(), replays)); // Its lease was over, and is ours again.
            } else if (old == null && lanes.accept(List.of(fetched), time.nanoTime()) == 1) {
                held.put(event.eventId(), new Held(claim, fetched.seq(), replays));
                taken++;
            } else {
                refuse(claim, refused);
            }
        }
        if (!refused.isEmpty()) {
            store.release(refused);
        }
        return new Accepted(taken, refused.isEmpty());
    }

    // A row that cannot be taken now, since its key is on hold for instance, or because it was replayed while an
    // earlier
    // attempt is in flight here, whose outcome must not settle it, is kept from being claimed for a while:
    // given back at once, it would be the first of the next look again, and of every one after it.
    private void refuse(Claim claim, Set<Claim> refused) {
        if (setAside.size() >= FetchLimits.MEASURED.setAsideMax()) {
            refused.add(claim);
            return;
        }
        if (setAside.isEmpty()) {
            setAsideNanos = time.nanoTime();
        }
        setAside.add(claim);
    }

    private List<FetchedEvent> fetched(List<OutboxEvent> claimed, ClaimTerms terms) {
        try {
            return fetcher.withAcknowledgements(
                    claimed.stream().map(this::fetched).toList());
        } catch (RuntimeException e) {
            Set<Claim> unused = new HashSet<>();
            claimed.forEach(event -> unused.add(new Claim(event.eventId(), terms.token())));
            store.release(unused); // Nobody here would know of them until their lease is over.
            throw e;
        }
    }

    private FetchedEvent fetched(OutboxEvent event) {
        return new FetchedEvent(++sequence, event.laneHash(), event, Duration.ZERO);
    }

    // A row that was refused is free in the table and will be claimed like any other: there is nothing to look up.
    private static void forgetSkippedLanes(Lanes lanes) {
        for (int lane : lanes.takeLanesToFetch(Integer.MAX_VALUE)) {
            lanes.acceptLane(new LanePage(lane, List.of(), true), 0);
        }
    }

    /** No other can fetch for it: to fetch is to claim. */
    @Override
    public @Nullable Cursor cursor(Lanes lanes) {
        return null;
    }

    @Override
    public int accept(Lanes lanes, Cursor cursor, PartitionPage page) {
        throw new UnsupportedOperationException("events are claimed one by one here, and there is no cursor");
    }

    @Override
    public void maintain(Lanes lanes) {
        releaseDropped(lanes);
        long now = time.nanoTime();
        if (now - setAsideNanos > setAsideForNanos && !setAside.isEmpty()) {
            store.release(Set.copyOf(setAside));
            setAside.clear();
            wake();
        }
        if (held.isEmpty() && setAside.isEmpty()) {
            renewedNanos = now;
        } else if (now - renewedNanos > config.lease().toNanos() / 3) {
            renew(lanes);
            renewedNanos = now;
        }
    }

    private void renew(Lanes lanes) {
        Set<Claim> claims = new HashSet<>(setAside);
        held.values().forEach(each -> claims.add(each.claim()));
        Set<Claim> kept = store.renew(claims, config.lease());
        setAside.retainAll(kept);
        lanes.removeWaiting(event -> !kept.contains(claimOf(event)));
        // What is under way cannot be called back; its settlement will find out.
        held.values()
                .removeIf(each -> !kept.contains(each.claim())
                        && !lanes.contains(each.seq(), each.claim().eventId()));
    }

    /** Whatever is free is claimed, wherever it stands. */
    @Override
    public void startOver() {
        wake();
    }

    @Override
    public void wake() {
        claimWanted.set(true);
    }

    @Override
    public boolean hasCapacity(Lanes lanes) {
        return lanes.capacityLeft() >= Math.max(1, Math.min(config.fetchMax(), lanes.capacity()) / 10);
    }

    @Override
    public boolean fetchesUnprompted() {
        return claimWanted.get();
    }

    @Override
    public boolean isReady(Lanes lanes) {
        return claimWanted.get() && hasCapacity(lanes);
    }

    @Override
    public boolean owns(int lane) {
        return true;
    }

    @Override
    public Claim claimOf(LaneEvent event) {
        return Objects.requireNonNull(held.get(event.event().eventId()), "a claim for every event in memory")
                .claim();
    }

    @Override
    public boolean keepsOrder() {
        return false;
    }

    @Override
    public void settled(List<LaneEvent> events) {
        events.forEach(event -> held.remove(event.event().eventId()));
        if (suspect != null && !isHeld(suspect)) {
            suspect = null;
            wake(); // The next one may come.
        }
    }

    @Override
    public void release(Lanes lanes) {
        Set<Claim> unbegun = new HashSet<>(setAside);
        setAside.clear();
        List<LaneEvent> waiting = new ArrayList<>(lanes.removeWaiting());
        for (LaneEvent event : waiting) {
            unbegun.add(claimOf(event));
        }
        if (!unbegun.isEmpty()) {
            store.release(unbegun);
        }
        settled(waiting);
    }

    @Override
    public PeekRequest.Position position(Lanes lanes) {
        return new PeekRequest.Position(0, 0, Set.of());
    }
}
