package outbox.relay.internal.order;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that may not go on: parked until a time or a sign, on hold, or skipped because too many others wait. Not for
 * several threads: its slot's loop is the only caller.
 */
public final class WaitingLanes {

    private final LaneQueues queues;

    WaitingLanes(LaneQueues queues) {
        this.queues = queues;
    }

    // ---- how many ------------------------------------------------------------------------------------------------

    /** Whether so many lanes wait that no more can be remembered. */
    public boolean isFull() {
        return queues.limits.lanesOverflowMax() == 0 ? queues.hasSkippedMany() : queues.overflow.isFull();
    }

    /** How many lanes wait outside of memory. */
    public int lanesWaiting() {
        return queues.skipped.size() + queues.overflow.size();
    }

    /** Whether lanes were skipped because many others wait. */
    public boolean hasOverflow() {
        return queues.overflow.size() > 0;
    }

    /** The target that most of the passed lanes have; empty when none is known. Reads all of them. */
    public Optional<String> mostAwaitedTarget() {
        Map<String, Integer> counts = new HashMap<>();
        for (int id : queues.skipped.ids()) {
            Lane lane = queues.lanes.get(id);
            if (lane != null && lane.route != null) {
                counts.merge(lane.route.target(), 1, Integer::sum);
            }
        }
        return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    // ---- parked --------------------------------------------------------------------------------------------------

    /** Lets a lane wait without an attempt: it has nowhere to go, for now. */
    public void park(int id, long untilNanos) {
        Lane lane = queues.laneOf(id);
        queues.parked.park(lane, untilNanos);
        skipUnrouted(lane);
        if (queues.canOverflow(lane)) {
            queues.overflow(lane);
            queues.overflow.awaitTime(untilNanos);
        }
    }

    /** Lets a lane wait without an attempt until {@link #unparkLane}: its address is unavailable. */
    public void parkWithoutTime(int id, long nowNanos) {
        Lane lane = queues.laneOf(id);
        queues.parked.parkWithoutTime(lane, nowNanos);
        skipUnrouted(lane);
    }

    private void skipUnrouted(Lane lane) {
        lane.waitsForRoute = true;
        queues.skipped.add(lane);
        queues.dropWaiting(lane);
    }

    /** Lets the lanes go on whose time has come; returns them. */
    public List<Integer> unpark(long nowNanos) {
        List<Lane> due = queues.parked.takeDue(nowNanos);
        due.forEach(queues::enqueueFetch);
        return due.stream().map(lane -> lane.id).toList();
    }

    /** Lets a parked lane go on before its time. */
    public void unparkLane(int id) {
        Lane lane = queues.lanes.get(id);
        if (lane != null && lane.parked) {
            queues.parked.unpark(lane);
            queues.enqueueFetch(lane);
        }
    }

    /** Whether a lane is to be read, or to be delivered to this destination and nothing else keeps it. */
    public boolean isReadyFor(String destination, int id) {
        Lane lane = queues.lanes.get(id);
        return lane != null && (lane.fetchQueued || (lane.isReady() && goesTo(destination, lane)));
    }

    private static boolean goesTo(String destination, Lane lane) {
        return lane.waiting.getFirst().route().destination().equals(destination);
    }

    /** When the next parked lane's time comes. */
    public OptionalLong nextUnparkNanos() {
        return queues.parked.nextNanos();
    }

    /** A delayed event of this lane has come due: its row was passed by the scan, so the lane has to be looked up. */
    public void cameDue(int id, long nowNanos) {
        if (queues.overflow.contains(id)) {
            return;
        }
        Lane lane = queues.laneOf(id);
        if (!lane.skipped && queues.canOverflow(lane)) {
            queues.overflow(lane);
            queues.overflow.awaitTime(nowNanos);
            return;
        }
        queues.skipped.add(lane);
        queues.enqueueFetch(lane);
    }

    /** Stops a lane until {@link #resume}. What is under way is not disturbed. */
    public void pause(int id, String reason) {
        queues.overflow.remove(id);
        Lane lane = queues.laneOf(id);
        lane.pausedBecause = reason;
        queues.skipped.add(lane);
        queues.dropWaiting(lane);
    }

    public void resume(int id) {
        Lane lane = queues.lanes.get(id);
        if (lane != null && lane.pausedBecause != null) {
            lane.pausedBecause = null;
            queues.enqueueFetch(lane);
            queues.enqueueIfReady(lane); // Something may have been put back while it was on hold.
        }
    }

    /** Why a lane is stopped; null when it is not. */
    public @Nullable String pausedBecause(int id) {
        Lane lane = queues.lanes.get(id);
        return lane == null ? null : lane.pausedBecause;
    }

    /** The lanes on hold. */
    public List<Integer> pausedLanes() {
        return queues.lanes.values().stream()
                .filter(lane -> lane.pausedBecause != null)
                .map(lane -> lane.id)
                .toList();
    }

    // ---- skipped lanes -------------------------------------------------------------------------------------------

    /**
     * Forgets everything about a parked lane but that it waits, if too many others do and if that is possible.
     *
     * @param atMost how long it may wait for {@link #recheckOverflow}
     */
    public boolean overflowParked(int id, long nowNanos, Optional<Duration> atMost) {
        Lane lane = queues.laneOf(id);
        boolean skips = queues.canOverflow(lane);
        if (skips) {
            queues.overflow(lane);
            atMost.ifPresent(wait -> queues.overflow.awaitTime(nowNanos + wait.toNanos()));
        }
        return skips;
    }

    /** Some of the skipped lanes may go on. */
    public void recheckOverflow() {
        queues.overflow.recheck();
    }

    /** Forgets the skipped lanes if some of them may go on: true when the slot is to be read from its beginning for that. */
    public boolean releaseOverflow(long nowNanos) {
        boolean due = hasOverflow()
                && (queues.overflow.isDue(nowNanos)
                        || queues.overflow.routesAwaited().stream().anyMatch(queues.shares::hasCapacity));
        if (due) {
            queues.overflow.bringBack(nowNanos);
        }
        return due;
    }
}
