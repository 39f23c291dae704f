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
 * The lanes of one partition. Not thread-safe: the partition's loop is the only caller.
 *
 * <p>Every pending row that a fetch of the partition has read is in one of three places: in memory; in the table, with its
 * lane remembered as skipped or overflowed; or settled. So no row is forgotten, and none is read again without need.
 */
public final class Lanes {

    private final LaneQueues queues;
    private final LaneAdmission admission;
    private final WaitingLanes waiting;

    /** @param router gives the routes that an event takes one after the other; none while no route matches it */
    public Lanes(LaneLimits limits, Function<OutboxEvent, List<Route>> router, Collection<Route> routes) {
        this.queues = new LaneQueues(limits, routes);
        this.admission = new LaneAdmission(router, queues);
        this.waiting = new WaitingLanes(queues);
    }

    /** The lanes that may not be delivered now. */
    public WaitingLanes waiting() {
        return waiting;
    }

    /** The events that are in memory. */
    public LaneMemory memory() {
        return queues.memory;
    }

    // ---- claim → order -------------------------------------------------------------------------------------------

    /** How many more events a fetch of the partition may bring; none while too many lanes wait. */
    public int fetchCapacity() {
        return waiting.isFull() ? 0 : queues.memory.capacityLeft();
    }

    /** The lanes that a fetch of the partition leaves out. */
    public Set<Integer> skippedLanes() {
        return queues.skipped.ids();
    }

    /**
     * How many events have left memory so far, and how many lanes the skipped ones. A page that was fetched meanwhile may
     * be accepted only while the number is the same. Otherwise it may contain what was settled since, or it may lack a lane
     * that is no longer skipped, and with it what arrived after that lane was fetched.
     */
    public long removals() {
        return queues.memory.removals() + queues.skipped.removals();
    }

    /** No fetch of the partition reads again what is up to there. */
    public void readTo(long seq) {
        queues.overflow.forgetReadTo(seq);
    }

    /** How many events in memory or in overflowed lanes a fetch from here on reads again. */
    public int countAbove(long seq) {
        return queues.memory.above(seq) + queues.overflow.countAbove(seq);
    }

    /** Takes what a fetch of the partition has read, in its order; returns how many events were new. */
    public int accept(List<FetchedEvent> page, long nowNanos) {
        return admission.accept(page, nowNanos);
    }

    /** Takes up to this many lanes that are to be fetched now; {@link #acceptLane} is called for each of them. */
    public Set<Integer> takeLanesToFetch(int max) {
        return queues.skipped.takeLanesToFetch(max);
    }

    public boolean hasLanesToFetch() {
        return queues.skipped.hasLanesToFetch();
    }

    /** The fetch of these lanes failed: they are to be fetched later. */
    public void fetchFailed(Set<Integer> ids) {
        ids.forEach(id -> queues.enqueueFetch(queues.laneOf(id)));
    }

    /** Takes what the fetch of one lane has read. */
    public Accepted acceptLane(LanePage page, long nowNanos) {
        return admission.acceptLane(page, nowNanos);
    }

    /**
     * What a fetch of a lane brought.
     *
     * @param events how many events were new
     * @param withoutRoute whether the lane waits because its oldest event has no route
     */
    public record Accepted(int events, boolean withoutRoute) {}

    // ---- order → deliver -----------------------------------------------------------------------------------------

    /** The routes that have a lane to be delivered, the one with the smallest share so far first. */
    public List<Route> readyRoutes() {
        return queues.shares.readyRoutes();
    }

    /**
     * Takes the next events of a route: the oldest of each lane, and those directly behind it up to the limit per key.
     * Their lanes give nothing more until all of them are answered.
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
     * Takes the oldest events of a route's ready lanes that are to be given up without an attempt. Their lanes give nothing
     * more until these are answered.
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
     * How much one call may take.
     *
     * @param bytes a single event may be larger
     */
    public record CallLimit(int keys, int eventsPerKey, int events, long bytes) {}

    // ---- deliver → order → settle --------------------------------------------------------------------------------

    /** The event was delivered, or is dead without pausing its key: its lane proceeds, and the event waits to be settled. */
    public void finished(LaneEvent event) {
        Lane lane = answered(event);
        if (lane.oneByOne > 0) {
            lane.oneByOne--;
        }
        lane.unsettled++;
        proceed(lane);
    }

    /** The event is dead and pauses its key. The event waits to be settled. */
    public void pausedByDead(LaneEvent event, String reason) {
        Lane lane = answered(event);
        lane.unsettled++;
        waiting.pause(lane.id, reason);
        lane.rereads = lane.inFlight > 0; // It may be replayed before the rest of its call returns.
    }

    /** The event failed: its lane waits until that is settled, and then for its retry. */
    public void failed(LaneEvent event) {
        Lane lane = answered(event);
        lane.unsettled++;
        lane.failures++;
        lane.oneByOne += lane.lastCall > 1 ? 1 : 0;
        proceed(lane);
    }

    /** The event has arrived, and has another destination: it is the first of its lane again. */
    public void forwardToNext(LaneEvent event) {
        Lane lane = answered(event);
        queues.removedFrom(event.route());
        event.proceed();
        queues.shares.added(event.route());
        lane.add(event);
        proceed(lane);
    }

    /** The event was not attempted: it is the first of its lane again. */
    public void putBack(LaneEvent event) {
        Lane lane = answered(event);
        lane.add(event);
        proceed(lane);
    }

    private Lane answered(LaneEvent event) {
        Lane lane = event.lane;
        if (--lane.inFlight < 0) {
            throw new IllegalStateException("an event of lane " + lane.id + " was answered twice");
        }
        return lane;
    }

    private void proceed(Lane lane) {
        if (lane.inFlight > 0) {
            return;
        }
        if (lane.failures > 0 || lane.pausedBecause != null || lane.parked || lane.rereads) {
            lane.rereads = false;
            queues.dropWaiting(lane); // Also what was put back: it would take memory from what can be delivered.
        }
        queues.enqueueIfReady(lane);
    }

    /** The settlement is written: the event leaves memory. */
    public void settled(LaneEvent event) {
        Lane lane = event.lane;
        lane.unsettled--;
        queues.removed(event);
        queues.enqueueFetch(lane);
        queues.forgetIfIdle(lane);
    }

    /**
     * A failure is written, and the lane may continue at this time: with another attempt, or without the event. If the event
     * is outdated, its row may not have existed, so the lane is fetched again at once.
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
     * The routes have changed: what waits, and lanes that had no route, are fetched and routed again. What is in flight is
     * not affected.
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
     * The sequence was reset: the rows of what is in memory may be gone, and others may have their numbers. What waits is
     * fetched again, and so are lanes that wait for a retry. What is in flight is not affected.
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
     * The destination of a route was removed. Most of what waited for it has another route; but an event that was in flight
     * when the routes changed may have come back for a retry: it is fetched and routed again.
     */
    public void routeRemoved(Route route) {
        ArrayDeque<Lane> ready = queues.shares.ready(route);
        for (Lane lane = ready.pollFirst(); lane != null; lane = ready.pollFirst()) {
            lane.queuedFor = null;
            queues.dropWaiting(lane);
            queues.forgetIfIdle(lane);
        }
    }

    /** Removes events from memory that were not begun and whose claims are lost. */
    public void removeWaiting(Predicate<LaneEvent> lost) {
        for (Lane lane : queues.all()) {
            List<LaneEvent> gone = lane.waiting.stream().filter(lost).toList();
            gone.forEach(queues::removed);
            lane.waiting.removeAll(gone);
            queues.enqueueFetch(lane); // Rows of it may have been skipped, which nothing else would fetch.
            queues.forgetIfIdle(lane);
        }
    }

    /** Removes everything from memory that was not begun. */
    public List<LaneEvent> removeWaiting() {
        List<LaneEvent> removed = new ArrayList<>();
        for (Lane lane : queues.all()) {
            removed.addAll(lane.waiting);
            queues.dropWaiting(lane);
        }
        return removed;
    }

    /**
     * Makes room when a route has more than its share of a memory that has been full for a while: its youngest lanes are
     * skipped, and fetched again when it has less. Returns how many events were dropped.
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
