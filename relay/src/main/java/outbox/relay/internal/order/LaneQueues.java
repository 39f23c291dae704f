package outbox.relay.internal.order;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.relay.route.Route;

/**
 * Where the lanes of a slot wait: to be delivered, to be looked up, for a time, or outside of memory; and how they go from
 * one to another.
 */
final class LaneQueues {

    final LaneLimits limits;
    final Map<Integer, Lane> lanes = new HashMap<>();
    final LaneMemory memory;
    final RouteShares shares;
    final ParkedLanes parked = new ParkedLanes();
    final SkippedLanes passed = new SkippedLanes();
    final OverflowLanes skipped;

    LaneQueues(LaneLimits limits, Collection<Route> routes) {
        this.limits = limits;
        this.memory = new LaneMemory(limits);
        this.skipped = new OverflowLanes(limits);
        this.shares = new RouteShares(limits.eventsMax(), routes);
    }

    /** All lanes of which something is known, which may be forgotten while they are gone through. */
    List<Lane> all() {
        return List.copyOf(lanes.values());
    }

    Lane laneOf(int id) {
        return lanes.computeIfAbsent(id, Lane::new);
    }

    void dropWaiting(Lane lane) {
        if (!lane.waiting.isEmpty()) {
            lane.waiting.forEach(this::left);
            lane.waiting.clear();
            lane.rereads = lane.underWay > 0;
            passed.add(lane);
        }
        enqueueLookUp(lane);
    }

    void left(LaneEvent event) {
        memory.remove(event);
        leftRoute(event.route());
    }

    void leftRoute(Route route) {
        shares.left(route);
        releaseDeferred();
    }

    // One lane of each route that has room. It may be on hold by now; then it gives way to the next. And it may go
    // another way by now, so that nothing of this one will leave: hence not only when something has left.
    void releaseDeferred() {
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

    void enqueueIfReady(Lane lane) {
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

    void enqueueLookUp(Lane lane) {
        if (lane.needsLookUp() && !lane.lookUpQueued) {
            lane.lookUpQueued = true;
            if (lane.route != null && shares.isOver(lane.route)) {
                shares.defer(lane.route, lane);
            } else {
                passed.lookUp(lane);
            }
        }
    }

    void forgetIfIdle(Lane lane) {
        if (lane.isForgettable() && lane.queuedFor == null && !lane.lookUpQueued) {
            lanes.remove(lane.id);
        }
    }

    // A lane that is skipped must not be kept by the list of those that wait for their time.
    void parkOrSkip(Lane lane, long untilNanos) {
        if (isSkippable(lane)) {
            skip(lane);
            skipped.awaitTime(untilNanos);
        } else {
            parked.park(lane, untilNanos);
        }
    }

    // Nothing of it may be known but rows in the table: what is in flight or on hold has to be remembered.
    boolean isSkippable(Lane lane) {
        return hasPassedMany()
                && limits.lanesSkippedMax() > 0
                && lane.isEmpty()
                && lane.failures == 0
                && lane.heldFor == null;
    }

    void skip(Lane lane) {
        parked.unpark(lane);
        passed.remove(lane);
        skipped.add(lane.id);
        forgetIfIdle(lane);
    }

    boolean hasPassedMany() {
        return passed.size() >= limits.lanesPassedMax();
    }
}
