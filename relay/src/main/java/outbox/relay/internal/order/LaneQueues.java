package outbox.relay.internal.order;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.relay.route.Route;

/**
 * The queues in which the lanes of a partition wait: to be delivered, to be fetched, for a time, or outside of memory; and
 * the steps from one to another.
 */
final class LaneQueues {

    final LaneLimits limits;
    final Map<Integer, Lane> lanes = new HashMap<>();
    final LaneMemory memory;
    final RouteShares shares;
    final ParkedLanes parked = new ParkedLanes();
    final SkippedLanes skipped = new SkippedLanes();
    final OverflowLanes overflow;

    LaneQueues(LaneLimits limits, Collection<Route> routes) {
        this.limits = limits;
        this.memory = new LaneMemory(limits);
        this.overflow = new OverflowLanes(limits);
        this.shares = new RouteShares(limits.eventsMax(), routes);
    }

    /** A copy of all lanes that are remembered, so that lanes may be forgotten during an iteration. */
    List<Lane> all() {
        return List.copyOf(lanes.values());
    }

    Lane laneOf(int id) {
        return lanes.computeIfAbsent(id, Lane::new);
    }

    void dropWaiting(Lane lane) {
        if (!lane.waiting.isEmpty()) {
            lane.waiting.forEach(this::removed);
            lane.waiting.clear();
            lane.rereads = lane.inFlight > 0;
            skipped.add(lane);
        }
        enqueueFetch(lane);
    }

    void removed(LaneEvent event) {
        memory.remove(event);
        removedFrom(event.route());
    }

    void removedFrom(Route route) {
        shares.removed(route);
        releaseDeferred();
    }

    // One lane of each route that has room. A lane that was paused meanwhile is left out for the next. A lane may have
    // another route by now, so that no event of this route will leave: hence this runs not only when an event has left.
    void releaseDeferred() {
        for (Route route : shares.routesWithDeferred()) {
            Lane next = shares.nextDeferred(route);
            while (next != null) {
                next.fetchQueued = false;
                boolean released = next.needsFetch();
                enqueueFetch(next);
                next = released ? null : shares.nextDeferred(route);
            }
        }
    }

    void enqueueIfReady(Lane lane) {
        if (!lane.isReady()) {
            return;
        }
        Route next = lane.waiting.getFirst().route();
        if (lane.queuedFor != null && !lane.queuedFor.equals(next)) {
            shares.ready(lane.queuedFor).remove(lane); // An older event was committed late and has another route.
            lane.queuedFor = null;
        }
        if (lane.queuedFor == null) {
            lane.queuedFor = next;
            shares.ready(next).addLast(lane);
        }
    }

    void enqueueFetch(Lane lane) {
        if (lane.needsFetch() && !lane.fetchQueued) {
            lane.fetchQueued = true;
            if (lane.route != null && shares.isOverShare(lane.route)) {
                shares.defer(lane.route, lane);
            } else {
                skipped.addFetch(lane);
            }
        }
    }

    void forgetIfIdle(Lane lane) {
        if (lane.isForgettable() && lane.queuedFor == null && !lane.fetchQueued) {
            lanes.remove(lane.id);
        }
    }

    // A lane that overflows must not be kept by the list of those that wait for their time.
    void parkOrOverflow(Lane lane, long untilNanos) {
        if (canOverflow(lane)) {
            overflow(lane);
            overflow.awaitTime(untilNanos);
        } else {
            parked.park(lane, untilNanos);
        }
    }

    // Only a lane of which nothing but rows in the table is known: what is in flight or paused has to be remembered.
    boolean canOverflow(Lane lane) {
        return hasSkippedMany()
                && limits.lanesOverflowMax() > 0
                && lane.isEmpty()
                && lane.failures == 0
                && lane.pausedBecause == null;
    }

    void overflow(Lane lane) {
        parked.unpark(lane);
        skipped.remove(lane);
        overflow.add(lane.id);
        forgetIfIdle(lane);
    }

    boolean hasSkippedMany() {
        return skipped.size() >= limits.lanesSkippedMax();
    }
}
