package outbox.relay.internal.order;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/** The lanes that wait for a time, the earliest first. */
final class ParkedLanes {

    private static final long LONG_NANOS = Duration.ofDays(365).toNanos();

    private final PriorityQueue<Wait> waits = new PriorityQueue<>();

    /** A lane and its time; stale when the lane was parked again. */
    private record Wait(long untilNanos, Lane lane) implements Comparable<Wait> {
        @Override
        public int compareTo(Wait other) {
            return Long.compare(untilNanos - other.untilNanos, 0);
        }
    }

    void park(Lane lane, long untilNanos) {
        mark(lane, untilNanos);
        waits.add(new Wait(untilNanos, lane));
    }

    /** Parks a lane that waits until {@link #unpark}. */
    void parkWithoutTime(Lane lane, long nowNanos) {
        mark(lane, nowNanos + LONG_NANOS);
    }

    private static void mark(Lane lane, long untilNanos) {
        lane.parked = true;
        lane.waitsForRoute = false;
        lane.parkedUntilNanos = untilNanos;
    }

    /** Ends the wait of a lane before its time. */
    void unpark(Lane lane) {
        lane.parked = false;
    }

    /** Takes out the lanes that are due. */
    List<Lane> takeDue(long nowNanos) {
        List<Lane> due = new ArrayList<>();
        while (!waits.isEmpty() && waits.element().untilNanos() - nowNanos <= 0) {
            Wait wait = waits.remove();
            Lane lane = wait.lane();
            if (lane.parked && lane.parkedUntilNanos == wait.untilNanos()) {
                lane.parked = false;
                due.add(lane);
            }
        }
        return due;
    }

    OptionalLong nextNanos() {
        return waits.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(waits.element().untilNanos());
    }
}
