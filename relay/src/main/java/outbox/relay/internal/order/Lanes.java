package outbox.relay.internal.order;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;
import outbox.relay.route.Route;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.LanePage;

/**
 * The lanes of one slot. Not for several threads: its slot's turn is the only caller.
 *
 * <p>Every pending row of the slot that the scan has gone past is in one of three places: in memory; in a lane that is
 * remembered as passed, or skipped; or settled. So nothing is forgotten, and nothing is read twice that is not needed.
 */
public final class Lanes {

    private final LaneLimits limits;
    private final Function<OutboxEvent, List<Route>> router;
    private final RouteShares shares;

    private final Map<Integer, Lane> lanes = new HashMap<>();
    private final LaneMemory memory;
    private final ParkedLanes parked = new ParkedLanes();
    private final SkippedLanes passed = new SkippedLanes();
    private final OverflowLanes skipped;

    /**
     * No lanes yet.
     *
     * @param router gives the routes that an event takes one after the other; none when there is no way for it yet
     */
    public Lanes(LaneLimits limits, Function<OutboxEvent, List<Route>> router, Collection<Route> routes) {
        this.limits = limits;
        this.memory = new LaneMemory(limits);
        this.skipped = new OverflowLanes(limits);
        this.router = router;
        this.shares = new RouteShares(limits.eventsMax(), routes);
    }

    // ---- what is in memory ---------------------------------------------------------------------------------------

    public int events() {
        return memory.events();
    }

    /** How many events fit into memory. */
    public int capacity() {
        return limits.eventsMax();
    }

    public long capacityBytes() {
        return limits.bytesMax();
    }

    /** Whether an event is in memory. */
    public boolean knows(long seq, String eventId) {
        return memory.knows(seq, eventId);
    }

    public long bytes() {
        return memory.bytes();
    }

    /** How many more events a scan may bring; none while too many lanes wait. */
    public int room() {
        return isFull() ? 0 : memory.room();
    }

    /** How many more events lanes that are looked up may bring. */
    public int lookUpRoom() {
        return memory.room();
    }

    public long roomBytes() {
        return memory.roomBytes();
    }

    /** Whether so many lanes wait that no more can be remembered. */
    public boolean isFull() {
        return limits.lanesSkippedMax() == 0 ? hasPassedMany() : skipped.isFull();
    }

    private boolean hasPassedMany() {
        return passed.size() >= limits.lanesPassedMax();
    }

    /** How many lanes wait outside of memory. */
    public int lanesWaiting() {
        return passed.size() + skipped.size();
    }

    /** Whether lanes were skipped because many others wait. */
    public boolean hasSkipped() {
        return skipped.size() > 0;
    }

    /** The lanes whose rows are not to be read by a scan. */
    public Set<Integer> passedLanes() {
        return passed.ids();
    }

    /** The target that most of the passed lanes have; empty when none is known. Reads all of them. */
    public Optional<String> passedWaitFor() {
        Map<String, Integer> counts = new HashMap<>();
        for (int id : passed.ids()) {
            Lane lane = lanes.get(id);
            if (lane != null && lane.route != null) {
                counts.merge(lane.route.target(), 1, Integer::sum);
            }
        }
        return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /**
     * How many events have left memory so far, or lanes those that are passed. While it is the same, a scan that was made
     * meanwhile may still be accepted. When it is not, the scan may show as pending what was settled since, or may have
     * left out a lane that is not passed any more, and with it what came there after it was looked up.
     */
    public long departures() {
        return memory.departures() + passed.departures();
    }

    /** The scan never meets again what is up to there. */
    public void readTo(long seq) {
        skipped.forgetMet(seq);
    }

    /** How many of the events in memory or in skipped lanes a scan from here on meets again. */
    public int knownAbove(long seq) {
        return memory.above(seq) + skipped.metAbove(seq);
    }

    /** Which of the events in memory a scan from here on meets again. */
    public Set<String> idsKnownAbove(long seq) {
        return memory.idsAbove(seq);
    }

    // ---- claim → order -------------------------------------------------------------------------------------------

    /** Takes what a scan has read, in its order; returns how many events were new. */
    public int accept(List<FetchedEvent> scanned, long nowNanos) {
        int taken = 0;
        for (FetchedEvent event : scanned) {
            if (!knows(event) && !skipped.meets(event.keyHash(), event.seq())) {
                taken += accept(laneOf(event.keyHash()), event, nowNanos) ? 1 : 0;
            }
        }
        return taken;
    }

    private boolean knows(FetchedEvent event) {
        return memory.knows(event.seq(), event.event().eventId());
    }

    private boolean accept(Lane lane, FetchedEvent event, long nowNanos) {
        if (lane.passed) {
            return false;
        }
        boolean waitsForRetry = !event.untilDue().isZero();
        List<Route> ways = waitsForRetry ? List.of() : waysOf(event);
        if (ways.isEmpty()
                || lane.failures > 0
                || lane.parked
                || lane.heldFor != null
                || lane.waiting.size() >= limits.eventsPerLaneMax()
                || memory.isFull()
                || shares.isOver(ways.get(0))) {
            lane.route = ways.isEmpty() ? lane.route : ways.get(0);
            if (isSkippable(lane) && !memory.isFull()) {
                skip(lane);
                awaitWhatItWaitsFor(ways, nowNanos, event);
                return false;
            }
            passed.add(lane);
            if (waitsForRetry && lane.isEmpty()) {
                parked.park(lane, nowNanos + event.untilDue().toNanos());
            }
            enqueueLookUp(lane);
            return false;
        }
        add(new LaneEvent(lane, ways, event));
        return true;
    }

    private void awaitWhatItWaitsFor(List<Route> ways, long nowNanos, FetchedEvent event) {
        if (!ways.isEmpty()) {
            skipped.awaitRoom(ways.get(0));
        } else {
            skipped.awaitTime(nowNanos + event.untilDue().toNanos());
        }
    }

    // Where it has been acknowledged it does not go again.
    private List<Route> waysOf(FetchedEvent event) {
        List<Route> ways = router.apply(event.event());
        if (event.acknowledged().isEmpty() || ways.isEmpty()) {
            return ways;
        }
        List<Route> left = ways.stream()
                .filter(way -> !event.acknowledged().contains(way.target()))
                .toList();
        return left.isEmpty() ? List.of(ways.get(0).nothingLeft()) : left;
    }

    private void add(LaneEvent event) {
        memory.add(event);
        event.lane.add(event);
        event.lane.route = event.route();
        shares.entered(event.route());
        enqueueIfReady(event.lane);
    }

    /** The lanes that are to be looked up now, at most so many; they are expected back by {@link #acceptLane}. */
    public Set<Integer> takeLookUps(int max) {
        return passed.takeLookUps(max);
    }

    public boolean hasLookUps() {
        return passed.hasLookUps();
    }

    /** A look-up that failed: these lanes are to be looked up later. */
    public void lookUpFailed(Set<Integer> ids) {
        ids.forEach(id -> enqueueLookUp(laneOf(id)));
    }

    /** What came of the look-up of one lane; returns how many events were new. */
    public Arrival acceptLane(LanePage content, long nowNanos) {
        Lane lane = laneOf(content.keyHash());
        boolean whole = content.complete();
        int taken = 0;
        for (FetchedEvent event : content.events()) {
            if (knows(event)) {
                continue;
            }
            if (!event.untilDue().isZero()) {
                if (lane.isEmpty()) {
                    parked.park(lane, nowNanos + event.untilDue().toNanos());
                }
                whole = false;
                break;
            }
            List<Route> ways = waysOf(event);
            if (ways.isEmpty()) {
                releaseDeferred();
                return new Arrival(taken, lane.isEmpty());
            }
            if (lane.waiting.size() >= limits.eventsPerLaneMax() || memory.isFull() || shares.isOver(ways.get(0))) {
                lane.route = ways.get(0);
                whole = false;
                break;
            }
            add(new LaneEvent(lane, ways, event));
            taken++;
        }
        if (whole) {
            passed.remove(lane);
        }
        enqueueLookUp(lane);
        forgetIfIdle(lane);
        releaseDeferred();
        return new Arrival(taken, false);
    }

    /**
     * What a look-up brought.
     *
     * @param withoutRoute whether the lane cannot go on, because its oldest event has no route
     */
    public record Arrival(int events, boolean withoutRoute) {}

    // ---- order → deliver -----------------------------------------------------------------------------------------

    /** The routes that have a lane to be delivered, in the order of their turns. */
    public List<Route> readyRoutes() {
        return shares.readyRoutes();
    }

    /**
     * Takes the next events of a route, whose turn it is: the oldest of each lane, and those directly behind it up to
     * the limit per key. Their lanes give nothing more until all of them are reported.
     */
    public List<LaneEvent> take(Route route, Portion portion) {
        List<LaneEvent> taken = new ArrayList<>();
        ArrayDeque<Lane> ready = shares.ready(route);
        long takenBytes = 0;
        int keys = 0;
        int candidates = ready.size();
        while (keys < portion.keys() && taken.size() < portion.events() && candidates-- > 0) {
            Lane lane = ready.removeFirst();
            lane.queuedFor = null;
            int before = taken.size();
            int most = lane.singly > 0 ? 1 : portion.eventsPerKey();
            while (lane.mayGiveTo(route, taken.size() - before)
                    && taken.size() - before < most
                    && taken.size() < portion.events()) {
                LaneEvent head = lane.waiting.getFirst();
                if (takenBytes + head.bytes() > portion.bytes() && !taken.isEmpty()) {
                    break;
                }
                lane.waiting.removeFirst();
                lane.underWay++;
                takenBytes += head.bytes();
                taken.add(head);
            }
            if (taken.size() > before) {
                lane.lastCall = taken.size() - before;
                keys++;
            } else {
                enqueueIfReady(lane);
                forgetIfIdle(lane);
            }
        }
        shares.picked(route, taken.size());
        return taken;
    }

    /**
     * Takes the oldest events of the ready lanes of a route that are to be given up although they cannot be delivered.
     * Their lanes give nothing more until they are reported.
     */
    public List<LaneEvent> takeIf(Route route, Predicate<LaneEvent> isGivenUp) {
        List<LaneEvent> taken = new ArrayList<>();
        for (Lane lane : List.copyOf(shares.ready(route))) {
            if (lane.mayGiveTo(route, 0) && isGivenUp.test(lane.waiting.getFirst())) {
                shares.ready(route).remove(lane);
                lane.queuedFor = null;
                lane.underWay++;
                lane.lastCall = 1;
                taken.add(lane.waiting.removeFirst());
            }
        }
        return taken;
    }

    /**
     * How much one call may have.
     *
     * @param bytes one event is given whatever its size
     */
    public record Portion(int keys, int eventsPerKey, int events, long bytes) {}

    // ---- deliver → order → settle --------------------------------------------------------------------------------

    /** Was delivered, or is dead without halting its key: the lane goes on, and the event waits to be settled. */
    public void finished(LaneEvent event) {
        Lane lane = reported(event);
        if (lane.singly > 0) {
            lane.singly--;
        }
        lane.unsettled++;
        goOn(lane);
    }

    /** Is dead and halts its key: the lane is on hold, and the event waits to be settled. */
    public void halted(LaneEvent event, String reason) {
        Lane lane = reported(event);
        lane.unsettled++;
        hold(lane.id, reason);
    }

    /** Failed: the lane waits until that is settled, and then for its time. */
    public void failed(LaneEvent event) {
        Lane lane = reported(event);
        lane.unsettled++;
        lane.failures++;
        lane.singly += lane.lastCall > 1 ? 1 : 0;
        goOn(lane);
    }

    /** Has arrived, and goes on to its next destination: the event is the first of its lane again. */
    public void passOn(LaneEvent event) {
        Lane lane = reported(event);
        leftRoute(event.route());
        event.goOn();
        shares.entered(event.route());
        lane.add(event);
        goOn(lane);
    }

    /** Was not attempted after all: the event is the first of its lane again. */
    public void putBack(LaneEvent event) {
        Lane lane = reported(event);
        lane.add(event);
        goOn(lane);
    }

    private Lane reported(LaneEvent event) {
        Lane lane = event.lane;
        if (--lane.underWay < 0) {
            throw new IllegalStateException("an event of lane " + lane.id + " was reported twice");
        }
        return lane;
    }

    private void goOn(Lane lane) {
        if (lane.underWay > 0) {
            return;
        }
        if (lane.failures > 0 || lane.heldFor != null || lane.parked) {
            dropWaiting(lane); // Also what was put back: it would take the place of what can go.
        }
        enqueueIfReady(lane);
    }

    /** Is written: the event leaves memory. */
    public void settled(LaneEvent event) {
        Lane lane = event.lane;
        lane.unsettled--;
        left(event);
        enqueueLookUp(lane);
        forgetIfIdle(lane);
    }

    /**
     * A failure is written, and the lane may go on at this time: with another attempt, or without the event. If the event
     * is outdated there may have been no row to write to, so the lane is read again at once.
     */
    public void settledFailure(LaneEvent event, long dueNanos) {
        Lane lane = event.lane;
        lane.unsettled--;
        lane.failures--;
        left(event);
        passed.add(lane);
        if (event.isOutdated()) {
            enqueueLookUp(lane);
        } else if (!lane.parked || dueNanos - lane.parkedUntilNanos > 0) {
            parkOrSkip(lane, dueNanos);
        }
    }

    /** Lets a lane wait without an attempt: it has nowhere to go, for now. */
    public void park(int id, long untilNanos) {
        Lane lane = laneOf(id);
        parked.park(lane, untilNanos);
        hasNowhereToGo(lane);
        if (isSkippable(lane)) {
            skip(lane);
            skipped.awaitTime(untilNanos);
        }
    }

    /** Lets a lane wait without an attempt until {@link #unparkLane}: its address is unavailable. */
    public void parkWithoutTime(int id, long nowNanos) {
        Lane lane = laneOf(id);
        parked.parkWithoutTime(lane, nowNanos);
        hasNowhereToGo(lane);
    }

    private void hasNowhereToGo(Lane lane) {
        lane.withoutRoute = true;
        passed.add(lane);
        dropWaiting(lane);
    }

    /**
     * The routes have changed: what waits is read and routed anew, and lanes that had no route are looked at again. What
     * is under way ends as it began.
     */
    public void rerouted(Collection<Route> routes) {
        skipped.want();
        for (Lane deferred : shares.replace(routes)) {
            deferred.lookUpQueued = false;
            enqueueLookUp(deferred);
        }
        for (Lane lane : List.copyOf(lanes.values())) {
            if (lane.parked && lane.withoutRoute) {
                parked.unpark(lane);
            }
            dropWaiting(lane);
        }
    }

    /**
     * Numbers have gone back: the rows of what is in memory may be gone, and others may have their numbers. What waits is
     * read anew, and so are lanes that wait for a retry. What is in flight ends as it began.
     */
    public void renumbered() {
        for (Lane lane : List.copyOf(lanes.values())) {
            if (lane.parked) {
                parked.unpark(lane);
            }
            dropWaiting(lane);
        }
        skipped.clear();
        memory.outdate();
    }

    /**
     * The destination of a route was removed. Most of what waited for it has another way by now; but what was under way
     * when the routes changed may have come back, to be tried there once more: it is read and routed anew.
     */
    public void wayIsGone(Route route) {
        ArrayDeque<Lane> ready = shares.ready(route);
        for (Lane lane = ready.pollFirst(); lane != null; lane = ready.pollFirst()) {
            lane.queuedFor = null;
            dropWaiting(lane);
            forgetIfIdle(lane);
        }
    }

    // ---- parked lanes and lanes on hold --------------------------------------------------------------------------

    /** Lets the lanes go on whose time has come; returns them. */
    public List<Integer> unpark(long nowNanos) {
        List<Lane> due = parked.takeDue(nowNanos);
        due.forEach(this::enqueueLookUp);
        return due.stream().map(lane -> lane.id).toList();
    }

    /** Lets a parked lane go on before its time. */
    public void unparkLane(int id) {
        Lane lane = lanes.get(id);
        if (lane != null && lane.parked) {
            parked.unpark(lane);
            enqueueLookUp(lane);
        }
    }

    /** Whether a lane is to be read, or to be delivered to this destination and nothing else keeps it. */
    public boolean isWaitingToGoTo(String destination, int id) {
        Lane lane = lanes.get(id);
        return lane != null && (lane.lookUpQueued || (lane.isReady() && goesTo(destination, lane)));
    }

    private static boolean goesTo(String destination, Lane lane) {
        return lane.waiting.getFirst().route().destination().equals(destination);
    }

    /** When the next parked lane's time comes. */
    public OptionalLong nextUnparkNanos() {
        return parked.nextNanos();
    }

    /** A delayed event of this lane has come due: its row was passed by the scan, so the lane has to be looked up. */
    public void cameDue(int id, long nowNanos) {
        if (skipped.contains(id)) {
            return;
        }
        Lane lane = laneOf(id);
        if (!lane.passed && isSkippable(lane)) {
            skip(lane);
            skipped.awaitTime(nowNanos);
            return;
        }
        passed.add(lane);
        enqueueLookUp(lane);
    }

    /** Stops a lane until {@link #resume}. What is under way is not disturbed. */
    public void hold(int id, String reason) {
        skipped.remove(id);
        Lane lane = laneOf(id);
        lane.heldFor = reason;
        passed.add(lane);
        dropWaiting(lane);
    }

    public void resume(int id) {
        Lane lane = lanes.get(id);
        if (lane != null && lane.heldFor != null) {
            lane.heldFor = null;
            enqueueLookUp(lane);
            enqueueIfReady(lane); // Something may have been put back while it was on hold.
        }
    }

    /** Why a lane is stopped; null when it is not. */
    public @Nullable String heldFor(int id) {
        Lane lane = lanes.get(id);
        return lane == null ? null : lane.heldFor;
    }

    /** The lanes on hold. */
    public List<Integer> heldLanes() {
        return lanes.values().stream()
                .filter(lane -> lane.heldFor != null)
                .map(lane -> lane.id)
                .toList();
    }

    /** Takes events out of memory that were not begun, and belong to somebody else by now. */
    public void removeWaiting(Predicate<LaneEvent> lost) {
        for (Lane lane : List.copyOf(lanes.values())) {
            List<LaneEvent> gone = lane.waiting.stream().filter(lost).toList();
            gone.forEach(this::left);
            lane.waiting.removeAll(gone);
            enqueueLookUp(lane); // Rows of it may have been passed, for which nobody else would come back.
            forgetIfIdle(lane);
        }
    }

    /** Takes everything out of memory that was not begun. */
    public List<LaneEvent> removeWaiting() {
        List<LaneEvent> removed = new ArrayList<>();
        for (Lane lane : List.copyOf(lanes.values())) {
            removed.addAll(lane.waiting);
            dropWaiting(lane);
        }
        return removed;
    }

    /**
     * Makes room when a route has more than its share of a memory that has been full for a while: its youngest lanes
     * are passed, and read again when it has less. Returns how many events were dropped.
     */
    public int relieve() {
        int dropped = 0;
        for (Route crowd : shares.crowding(memory.events())) {
            List<Lane> victims = new ArrayList<>(shares.ready(crowd));
            for (int i = victims.size() - 1; i >= 0 && shares.excess(crowd) > 0; i--) {
                int before = memory.events();
                Lane victim = victims.get(i);
                dropWaiting(victim);
                if (isSkippable(victim)) {
                    skip(victim);
                    skipped.awaitRoom(crowd);
                }
                dropped += before - memory.events();
            }
        }
        return dropped;
    }

    // ---- skipped lanes -------------------------------------------------------------------------------------------

    /**
     * Forgets everything about a parked lane but that it waits, if too many others do and if that is possible.
     *
     * @param atMost how long it may wait for {@link #bringBack}
     */
    public boolean skipParked(int id, long nowNanos, Optional<Duration> atMost) {
        Lane lane = laneOf(id);
        boolean skips = isSkippable(lane);
        if (skips) {
            skip(lane);
            atMost.ifPresent(wait -> skipped.awaitTime(nowNanos + wait.toNanos()));
        }
        return skips;
    }

    // A lane that is skipped must not be kept by the list of those that wait for their time.
    private void parkOrSkip(Lane lane, long untilNanos) {
        if (isSkippable(lane)) {
            skip(lane);
            skipped.awaitTime(untilNanos);
        } else {
            parked.park(lane, untilNanos);
        }
    }

    /** Some of the skipped lanes may go on. */
    public void bringBack() {
        skipped.want();
    }

    /** Forgets the skipped lanes if some of them may go on: true when the slot is to be read from its beginning for that. */
    public boolean takeBack(long nowNanos) {
        boolean due = hasSkipped()
                && (skipped.isDue(nowNanos) || skipped.routesAwaited().stream().anyMatch(shares::isRoomy));
        if (due) {
            skipped.bringBack(nowNanos);
        }
        return due;
    }

    // Nothing of it may be known but rows in the table: what is in flight or on hold has to be remembered.
    private boolean isSkippable(Lane lane) {
        return hasPassedMany()
                && limits.lanesSkippedMax() > 0
                && lane.isEmpty()
                && lane.failures == 0
                && lane.heldFor == null;
    }

    private void skip(Lane lane) {
        parked.unpark(lane);
        passed.remove(lane);
        skipped.add(lane.id);
        forgetIfIdle(lane);
    }

    // ---- leaves --------------------------------------------------------------------------------------------------

    private Lane laneOf(int id) {
        return lanes.computeIfAbsent(id, Lane::new);
    }

    private void dropWaiting(Lane lane) {
        if (!lane.waiting.isEmpty()) {
            lane.waiting.forEach(this::left);
            lane.waiting.clear();
            passed.add(lane);
        }
        enqueueLookUp(lane);
    }

    private void left(LaneEvent event) {
        memory.remove(event);
        leftRoute(event.route());
    }

    private void leftRoute(Route route) {
        shares.left(route);
        releaseDeferred();
    }

    // One lane of each route that has room. It may be on hold by now; then it gives way to the next. And it may go
    // another way by now, so that nothing of this one will leave: hence not only when something has left.
    private void releaseDeferred() {
        for (Route route : shares.routesWithDeferred()) {
            Lane next = shares.nextDeferred(route);
            while (next != null) {
                next.lookUpQueued = false;
                boolean released = next.needsLookUp();
                enqueueLookUp(next);
                next = released ? null : shares.nextDeferred(route);
            }
        }
    }

    private void enqueueIfReady(Lane lane) {
        if (!lane.isReady()) {
            return;
        }
        Route next = lane.waiting.getFirst().route();
        if (lane.queuedFor != null && !lane.queuedFor.equals(next)) {
            shares.ready(lane.queuedFor)
                    .remove(lane); // An older event has come, committed late, that goes another way.
            lane.queuedFor = null;
        }
        if (lane.queuedFor == null) {
            lane.queuedFor = next;
            shares.ready(next).addLast(lane);
        }
    }

    private void enqueueLookUp(Lane lane) {
        if (lane.needsLookUp() && !lane.lookUpQueued) {
            lane.lookUpQueued = true;
            if (lane.route != null && shares.isOver(lane.route)) {
                shares.defer(lane.route, lane);
            } else {
                passed.lookUp(lane);
            }
        }
    }

    private void forgetIfIdle(Lane lane) {
        if (lane.isForgettable() && lane.queuedFor == null && !lane.lookUpQueued) {
            lanes.remove(lane.id);
        }
    }
}
