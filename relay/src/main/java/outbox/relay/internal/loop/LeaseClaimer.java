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
 * Claims by lease: each row with a token, on any number of nodes. What a crashed node held is claimed again when its lease is
 * over. Lanes keep order only among what this node holds.
 */
public final class LeaseClaimer implements Claimer {

    /** Claims of events that could not be taken, kept for a while from being claimed again. */
    private static final int SET_ASIDE_MAX = 10_000;

    private final ClaimStore store;
    private final Fetcher fetcher;
    private final RelayConfig.ClaimConfig config;
    private final TimeSource time;
    private final Supplier<String> tokens;
    private final long setAsideForNanos;
    private final long suspectsEveryNanos;
    private final AtomicBoolean claimWanted = new AtomicBoolean(true);

    // Only the loop uses these.
    private final Map<String, Held> held = new HashMap<>();

    /** A claim, the seq under which the lanes have its event, and how often that event had been replayed. */
    private record Held(Claim claim, long seq, int replays) {}

    /** The claim of an event that may have ended other nodes; no other such event is claimed meanwhile. */
    private @Nullable Claim suspect;

    private boolean suspectsLikely = true;
    private long suspectsAskedNanos;

    /** Claims whose events could not be taken. */
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
        boolean fits = hasCapacity(lanes) || (anyRoom && lanes.fetchCapacity() > 0);
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

    // Lanes drop what waits when a key is paused or a route has too much: another node may have it then.
    private void releaseDropped(Lanes lanes) {
        if (held.size() > lanes.memory().events()) {
            Set<Claim> dropped = new HashSet<>();
            held.forEach((id, each) -> {
                if (!lanes.memory().contains(each.seq(), id)) {
                    dropped.add(each.claim());
                }
            });
            store.release(dropped);
            dropped.forEach(claim -> held.remove(claim.eventId()));
        }
    }

    // There are nearly none, so not every claim asks for them.
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

    // A suspect that could not be taken is not tried, and must not keep others from being tried.
    private boolean isHeld(@Nullable Claim claim) {
        Held holding = claim == null ? null : held.get(claim.eventId());
        return holding != null && holding.claim().equals(claim);
    }

    private ClaimTerms terms() {
        return new ClaimTerms(tokens.get(), config.lease());
    }

    private int claim(Lanes lanes) {
        int eventsMax = Math.min(config.fetchMax(), lanes.fetchCapacity());
        if (eventsMax == 0) {
            claimWanted.set(true);
            return 0;
        }
        ClaimTerms terms = terms();
        List<OutboxEvent> claimed = store.claim(
                new ClaimRequest(terms, Duration.ZERO, eventsMax, lanes.memory().bytesLeft()));
        Accepted taken = acceptClaimed(lanes, claimed, terms);
        // When rows had to be released, another claim would get the same ones.
        claimWanted.compareAndSet(false, claimed.size() == eventsMax && taken.all());
        return taken.events();
    }

    /** How many events were new, and whether none had to be released. */
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

    // An event cannot be taken now if its key is paused, or if it was replayed while an earlier attempt is in flight
    // here, whose outcome must not settle it. Released at once, it would be the first of the next claim, and of every
    // one after.
    private void refuse(Claim claim, Set<Claim> refused) {
        if (setAside.size() >= SET_ASIDE_MAX) {
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
            store.release(unused); // Otherwise they would be lost until their lease is over.
            throw e;
        }
    }

    private FetchedEvent fetched(OutboxEvent event) {
        return new FetchedEvent(++sequence, event.laneHash(), event, Duration.ZERO);
    }

    // A row that was refused is free in the table and will be claimed like any other: there is nothing to fetch.
    private static void forgetSkippedLanes(Lanes lanes) {
        for (int lane : lanes.takeLanesToFetch(Integer.MAX_VALUE)) {
            lanes.acceptLane(new LanePage(lane, List.of(), true), 0);
        }
    }

    /** No other thread can fetch for it: to fetch is to claim. */
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
        // What is in flight cannot be called back; its settlement will show that the claim is lost.
        held.values()
                .removeIf(each -> !kept.contains(each.claim())
                        && !lanes.memory().contains(each.seq(), each.claim().eventId()));
    }

    /** Every claim finds whatever is free, so there is no position to reset. */
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
        return lanes.fetchCapacity()
                >= Math.max(1, Math.min(config.fetchMax(), lanes.memory().capacity()) / 10);
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
            wake(); // The next suspect may be claimed.
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
