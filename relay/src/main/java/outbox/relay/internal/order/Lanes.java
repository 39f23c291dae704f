package outbox.relay.internal.order;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
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

    private final Function<OutboxEvent, List<Route>> router;
    private final LaneQueues queues;
    private final WaitingLanes waiting;

    /**
     * No lanes yet.
     *
     * @param router gives the routes that an event takes one after the other; none when there is no way for it yet
     */
    public Lanes(LaneLimits limits, Function<OutboxEvent, List<Route>> router, Collection<Route> routes) {
        this.router = router;
        this.queues = new LaneQueues(limits, routes);
        this.waiting = new WaitingLanes(queues);
    }

    /** The lanes that may not go on. */
    public WaitingLanes waiting() {
        return waiting;
    }

    // ---- what is in memory ---------------------------------------------------------------------------------------

    public int events() {
        return queues.memory.events();
    }

    /** How many events fit into memory. */
    public int capacity() {
        return queues.limits.eventsMax();
    }

    public long capacityBytes() {
        return queues.limits.bytesMax();
    }

    /** Whether an event is in memory. */
    public boolean contains(long seq, String eventId) {
        return queues.memory.contains(seq, eventId);
    }

    public long bytes() {
        return queues.memory.bytes();
    }

    /** How many more events a scan may bring; none while too many lanes wait. */
    public int capacityLeft() {
        return waiting.isFull() ? 0 : queues.memory.capacityLeft();
    }

    /** How many more events lanes that are looked up may bring. */
    public int fetchCapacityLeft() {
        return queues.memory.capacityLeft();
    }

    public long bytesLeft() {
        return queues.memory.bytesLeft();
    }

    /** The lanes whose rows are not to be read by a scan. */
    public Set<Integer> skippedLanes() {
        return queues.skipped.ids();
    }

    /**
     * How many events have left memory so far, or lanes those that are passed. While it is the same, a scan that was made
     * meanwhile may still be accepted. When it is not, the scan may show as pending what was settled since, or may have
     * left out a lane that is not passed any more, and with it what came there after it was looked up.
     */
    public long removals() {
        return queues.memory.removals() + queues.skipped.removals();
    }

    /** The scan never meets again what is up to there. */
    public void readTo(long seq) {
        queues.overflow.forgetReadTo(seq);
    }

    /** How many of the events in memory or in skipped lanes a scan from here on meets again. */
    public int countAbove(long seq) {
        return queues.memory.above(seq) + queues.overflow.countAbove(seq);
    }

    /** Which of the events in memory a scan from here on meets again. */
    public Set<String> idsAbove(long seq) {
        return queues.memory.idsAbove(seq);
    }

    // ---- claim → order -------------------------------------------------------------------------------------------

    /** Takes what a scan has read, in its order; returns how many events were new. */
    public int accept(List<FetchedEvent> scanned, long nowNanos) {
        int taken = 0;
        for (FetchedEvent event : scanned) {
            if (!contains(event) && !queues.overflow.isReadAgain(event.keyHash(), event.seq())) {
                taken += accept(queues.laneOf(event.keyHash()), event, nowNanos) ? 1 : 0;
            }
        }
        return taken;
    }

    private boolean contains(FetchedEvent event) {
        return queues.memory.contains(event.seq(), event.event().eventId());
    }

    private boolean accept(Lane lane, FetchedEvent event, long nowNanos) {
        if (lane.skipped) {
            return false;
        }
        boolean waitsForRetry = !event.untilDue().isZero();
        List<Route> routes = waitsForRetry ? List.of() : remainingRoutes(event);
        if (routes.isEmpty()
                || lane.failures > 0
                || lane.parked
                || lane.pausedBecause != null
                || lane.waiting.size() >= queues.limits.eventsPerLaneMax()
                || queues.memory.isFull()
                || queues.shares.isOverShare(routes.get(0))) {
            lane.route = routes.isEmpty() ? lane.route : routes.get(0);
            if (queues.canOverflow(lane) && !queues.memory.isFull()) {
                queues.overflow(lane);
                awaitOverflow(routes, nowNanos, event);
                return false;
            }
            queues.skipped.add(lane);
            if (waitsForRetry && lane.isEmpty()) {
                queues.parked.park(lane, nowNanos + event.untilDue().toNanos());
            }
            queues.enqueueFetch(lane);
            return false;
        }
        add(new LaneEvent(lane, routes, event));
        return true;
    }

    private void awaitOverflow(List<Route> routes, long nowNanos, FetchedEvent event) {
        if (!routes.isEmpty()) {
            queues.overflow.awaitRoom(routes.get(0));
        } else {
            queues.overflow.awaitTime(nowNanos + event.untilDue().toNanos());
        }
    }

    // Where it has been acknowledged it does not go again.
    private List<Route> remainingRoutes(FetchedEvent event) {
        List<Route> routes = router.apply(event.event());
        if (event.acknowledged().isEmpty() || routes.isEmpty()) {
            return routes;
        }
        List<Route> remaining = routes.stream()
                .filter(route -> !event.acknowledged().contains(route.target()))
                .toList();
        return remaining.isEmpty() ? List.of(routes.get(0).nothingLeft()) : remaining;
    }

    private void add(LaneEvent event) {
        queues.memory.add(event);
        event.lane.add(event);
        event.lane.route = event.route();
        queues.shares.added(event.route());
        queues.enqueueIfReady(event.lane);
    }

    /** The lanes that are to be looked up now, at most so many; they are expected back by {@link #acceptLane}. */
    public Set<Integer> takeLanesToFetch(int max) {
        return queues.skipped.takeLanesToFetch(max);
    }

    public boolean hasLanesToFetch() {
        return queues.skipped.hasLanesToFetch();
    }

    /** A look-up that failed: these lanes are to be looked up later. */
    public void fetchFailed(Set<Integer> ids) {
        ids.forEach(id -> queues.enqueueFetch(queues.laneOf(id)));
    }

    /** What came of the look-up of one lane; returns how many events were new. */
    public Accepted acceptLane(LanePage content, long nowNanos) {
        Lane lane = queues.laneOf(content.keyHash());
        boolean complete = content.complete();
        int taken = 0;
        for (FetchedEvent event : content.events()) {
            if (contains(event)) {
                continue;
            }
            if (!event.untilDue().isZero()) {
                if (lane.isEmpty()) {
                    queues.parked.park(lane, nowNanos + event.untilDue().toNanos());
                }
                complete = false;
                break;
            }
            List<Route> routes = remainingRoutes(event);
            if (routes.isEmpty()) {
                queues.releaseDeferred();
                return new Accepted(taken, lane.isEmpty());
            }
            if (lane.waiting.size() >= queues.limits.eventsPerLaneMax()
                    || queues.memory.isFull()
                    || queues.shares.isOverShare(routes.get(0))) {
                lane.route = routes.get(0);
                complete = false;
                break;
            }
            add(new LaneEvent(lane, routes, event));
            taken++;
        }
        if (complete) {
            queues.skipped.remove(lane);
        }
        queues.enqueueFetch(lane);
        queues.forgetIfIdle(lane);
        queues.releaseDeferred();
        return new Accepted(taken, false);
    }

    /**
     * What a look-up brought.
     *
     * @param withoutRoute whether the lane cannot go on, because its oldest event has no route
     */
    public record Accepted(int events, boolean withoutRoute) {}

    // ---- order → deliver -----------------------------------------------------------------------------------------

    /** The routes that have a lane to be delivered, in the order of their turns. */
    public List<Route> readyRoutes() {
        return queues.shares.readyRoutes();
    }

    /**
     * Takes the next events of a route, whose turn it is: the oldest of each lane, and those directly behind it up to
     * the limit per key. Their lanes give nothing more until all of them are reported.
     */
    public List<LaneEvent> take(Route route, CallLimit portion) {
        List<LaneEvent> taken = new ArrayList<>();
        ArrayDeque<Lane> ready = queues.shares.ready(route);
        long takenBytes = 0;
        int keys = 0;
        int candidates = ready.size();
        while (keys < portion.keys() && taken.size() < portion.events() && candidates-- > 0) {
            Lane lane = ready.removeFirst();
            lane.queuedFor = null;
            int before = taken.size();
            int most = lane.oneByOne > 0 ? 1 : portion.eventsPerKey();
            while (lane.mayGiveTo(route, taken.size() - before)
                    && taken.size() - before < most
                    && taken.size() < portion.events()) {
                LaneEvent head = lane.waiting.getFirst();
                if (takenBytes + head.bytes() > portion.bytes() && !taken.isEmpty()) {
                    break;
                }
                lane.waiting.removeFirst();
                lane.inFlight++;
                takenBytes += head.bytes();
                taken.add(head);
            }
            if (taken.size() > before) {
                lane.lastCall = taken.size() - before;
                keys++;
            } else {
                queues.enqueueIfReady(lane);
                queues.forgetIfIdle(lane);
            }
        }
        queues.shares.charge(route, taken.size());
        return taken;
    }

    /**
     * Takes the oldest events of the ready lanes of a route that are to be given up although they cannot be delivered.
     * Their lanes give nothing more until they are reported.
     */
    public List<LaneEvent> takeIf(Route route, Predicate<LaneEvent> isGivenUp) {
        List<LaneEvent> taken = new ArrayList<>();
        for (Lane lane : List.copyOf(queues.shares.ready(route))) {
            if (lane.mayGiveTo(route, 0) && isGivenUp.test(lane.waiting.getFirst())) {
                queues.shares.ready(route).remove(lane);
                lane.queuedFor = null;
                lane.inFlight++;
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
    public record CallLimit(int keys, int eventsPerKey, int events, long bytes) {}

    // ---- deliver → order → settle --------------------------------------------------------------------------------

    /** Was delivered, or is dead without halting its key: the lane goes on, and the event waits to be settled. */
    public void finished(LaneEvent event) {
        Lane lane = answered(event);
        if (lane.oneByOne > 0) {
            lane.oneByOne--;
        }
        lane.unsettled++;
        proceed(lane);
    }

    /** Is dead and halts its key: the lane is on hold, and the event waits to be settled. */
    public void pausedByDead(LaneEvent event, String reason) {
        Lane lane = answered(event);
        lane.unsettled++;
        waiting.pause(lane.id, reason);
    }

    /** Failed: the lane waits until that is settled, and then for its time. */
    public void failed(LaneEvent event) {
        Lane lane = answered(event);
        lane.unsettled++;
        lane.failures++;
        lane.oneByOne += lane.lastCall > 1 ? 1 : 0;
        proceed(lane);
    }

    /** Has arrived, and goes on to its next destination: the event is the first of its lane again. */
    public void forwardToNext(LaneEvent event) {
        Lane lane = answered(event);
        queues.removedFrom(event.route());
        event.proceed();
        queues.shares.added(event.route());
        lane.add(event);
        proceed(lane);
    }

    /** Was not attempted after all: the event is the first of its lane again. */
    public void putBack(LaneEvent event) {
        Lane lane = answered(event);
        lane.add(event);
        proceed(lane);
    }

    private Lane answered(LaneEvent event) {
        Lane lane = event.lane;
        if (--lane.inFlight < 0) {
            throw new IllegalStateException("an event of lane " + lane.id + " was reported twice");
        }
        return lane;
    }

    private void proceed(Lane lane) {
        if (lane.inFlight > 0) {
            return;
        }
        if (lane.failures > 0 || lane.pausedBecause != null || lane.parked || lane.rereads) {
            lane.rereads = false;
            queues.dropWaiting(lane); // Also what was put back: it would take the place of what can go.
        }
        queues.enqueueIfReady(lane);
    }

    /** Is written: the event leaves memory. */
    public void settled(LaneEvent event) {
        Lane lane = event.lane;
        lane.unsettled--;
        queues.removed(event);
        queues.enqueueFetch(lane);
        queues.forgetIfIdle(lane);
    }

    /**
     * A failure is written, and the lane may go on at this time: with another attempt, or without the event. If the event
     * is outdated there may have been no row to write to, so the lane is read again at once.
     */
    public void settledFailure(LaneEvent event, long dueNanos) {
        Lane lane = event.lane;
        lane.unsettled--;
        lane.failures--;
        queues.removed(event);
        queues.skipped.add(lane);
        if (event.isOutdated()) {
            queues.enqueueFetch(lane);
        } else if (!lane.parked || dueNanos - lane.parkedUntilNanos > 0) {
            queues.parkOrOverflow(lane, dueNanos);
        }
    }

    /**
     * The routes have changed: what waits is read and routed anew, and lanes that had no route are looked at again. What
     * is under way ends as it began.
     */
    public void rerouted(Collection<Route> routes) {
        queues.overflow.recheck();
        for (Lane deferred : queues.shares.replace(routes)) {
            deferred.fetchQueued = false;
            queues.enqueueFetch(deferred);
        }
        for (Lane lane : queues.all()) {
            if (lane.parked && lane.waitsForRoute) {
                queues.parked.unpark(lane);
            }
            queues.dropWaiting(lane);
        }
    }

    /**
     * Numbers have gone back: the rows of what is in memory may be gone, and others may have their numbers. What waits is
     * read anew, and so are lanes that wait for a retry. What is in flight ends as it began.
     */
    public void sequenceReset() {
        for (Lane lane : queues.all()) {
            if (lane.parked) {
                queues.parked.unpark(lane);
            }
            queues.dropWaiting(lane);
        }
        queues.overflow.clear();
        queues.memory.outdate();
    }

    /**
     * The destination of a route was removed. Most of what waited for it has another way by now; but what was under way
     * when the routes changed may have come back, to be tried there once more: it is read and routed anew.
     */
    public void routeRemoved(Route route) {
        ArrayDeque<Lane> ready = queues.shares.ready(route);
        for (Lane lane = ready.pollFirst(); lane != null; lane = ready.pollFirst()) {
            lane.queuedFor = null;
            queues.dropWaiting(lane);
            queues.forgetIfIdle(lane);
        }
    }

    /** Takes events out of memory that were not begun, and belong to somebody else by now. */
    public void removeWaiting(Predicate<LaneEvent> lost) {
        for (Lane lane : queues.all()) {
            List<LaneEvent> gone = lane.waiting.stream().filter(lost).toList();
            gone.forEach(queues::removed);
            lane.waiting.removeAll(gone);
            queues.enqueueFetch(lane); // Rows of it may have been passed, for which nobody else would come back.
            queues.forgetIfIdle(lane);
        }
    }

    /** Takes everything out of memory that was not begun. */
    public List<LaneEvent> removeWaiting() {
        List<LaneEvent> removed = new ArrayList<>();
        for (Lane lane : queues.all()) {
            removed.addAll(lane.waiting);
            queues.dropWaiting(lane);
        }
        return removed;
    }

    /**
     * Makes room when a route has more than its share of a memory that has been full for a while: its youngest lanes
     * are passed, and read again when it has less. Returns how many events were dropped.
     */
    public int evictExcess() {
        int dropped = 0;
        for (Route crowd : queues.shares.crowding(queues.memory.events())) {
            List<Lane> victims = new ArrayList<>(queues.shares.ready(crowd));
            for (int i = victims.size() - 1; i >= 0 && queues.shares.excess(crowd) > 0; i--) {
                int before = queues.memory.events();
                Lane victim = victims.get(i);
                queues.dropWaiting(victim);
                if (queues.canOverflow(victim)) {
                    queues.overflow(victim);
                    queues.overflow.awaitRoom(crowd);
                }
                dropped += before - queues.memory.events();
            }
        }
        return dropped;
    }
}
