package outbox.relay.internal.order;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that may not be delivered now: parked, paused, or overflowed because too many others wait. Not thread-safe: the
 * partition's loop is the only caller.
 */
public final class WaitingLanes {

    private final LaneQueues queues;

    WaitingLanes(LaneQueues queues) {
        this.queues = queues;
    }

    // ---- how many ------------------------------------------------------------------------------------------------

    /** Whether too many lanes wait to remember another one. */
    public boolean isFull() {
        return queues.limits.lanesOverflowMax() == 0 ? queues.hasSkippedMany() : queues.overflow.isFull();
    }

    /** How many lanes wait outside of memory. */
    public int lanesWaiting() {
        return queues.skipped.size() + queues.overflow.size();
    }

    /** Whether lanes have overflowed because too many others wait. */
    public boolean hasOverflow() {
        return queues.overflow.size() > 0;
    }

    /** The target that most of the skipped lanes have; empty when none is known. Reads all of them. */
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

    /** Parks a lane that has no route for now. */
    public void park(int id, long untilNanos) {
        Lane lane = queues.laneOf(id);
        queues.parked.park(lane, untilNanos);
        skipUnrouted(lane);
        if (queues.canOverflow(lane)) {
            queues.overflow(lane);
            queues.overflow.awaitTime(untilNanos);
        }
    }

    /** Parks a lane until {@link #unparkLane}: its address is unavailable. */
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

    /** Ends the wait of the lanes that are due; returns them. */
    public List<Integer> unpark(long nowNanos) {
        List<Lane> due = queues.parked.takeDue(nowNanos);
        due.forEach(queues::enqueueFetch);
        return due.stream().map(lane -> lane.id).toList();
    }

    /** Ends the wait of a lane before its time. */
    public void unparkLane(int id) {
        Lane lane = queues.lanes.get(id);
        if (lane != null && lane.parked) {
            queues.parked.unpark(lane);
            queues.enqueueFetch(lane);
        }
    }

    /** Whether a lane is to be fetched, or is ready to be delivered to this destination. */
    public boolean isReadyFor(String destination, int id) {
        Lane lane = queues.lanes.get(id);
        return lane != null && (lane.fetchQueued || (lane.isReady() && goesTo(destination, lane)));
    }

    private static boolean goesTo(String destination, Lane lane) {
        return lane.waiting.getFirst().route().destination().equals(destination);
    }

    /** When the next parked lane is due. */
    public OptionalLong nextUnparkNanos() {
        return queues.parked.nextNanos();
    }

    /** A delayed event of this lane has come due. A fetch of the partition has read past its row, so the lane is fetched. */
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

    /** Pauses a lane until {@link #resume}. What is in flight is not affected. */
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
            queues.enqueueIfReady(lane); // Events may have been put back while it was paused.
        }
    }

    /** Why a lane is paused; null when it is not. */
    public @Nullable String pausedBecause(int id) {
        Lane lane = queues.lanes.get(id);
        return lane == null ? null : lane.pausedBecause;
    }

    /** The lanes that are paused. */
    public List<Integer> pausedLanes() {
        return queues.lanes.values().stream()
                .filter(lane -> lane.pausedBecause != null)
                .map(lane -> lane.id)
                .toList();
    }

    // ---- overflow ------------------------------------------------------------------------------------------------

    /**
     * Forgets everything about a parked lane except that it waits, if too many others wait.
     *
     * @param atMost how long it may wait for {@link #releaseOverflow}
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

    /** Some of the overflowed lanes may continue. */
    public void recheckOverflow() {
        queues.overflow.recheck();
    }

    /** Forgets the overflowed lanes if some of them may continue; true when the partition is to be fetched from its beginning. */
    public boolean releaseOverflow(long nowNanos) {
        boolean due = hasOverflow()
                && (queues.overflow.isDue(nowNanos)
                        || queues.overflow.routesAwaited().stream().anyMatch(queues.shares::hasCapacity));
        if (due) {
            queues.overflow.release(nowNanos);
        }
        return due;
    }
}
