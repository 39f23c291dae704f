package outbox.relay.internal.loop;

import outbox.relay.internal.model.Pacing;
import outbox.relay.internal.order.Lanes;

/** Knows for how long a slot's memory has been too full to fetch, and makes room when that is too long. */
final class MemoryPressure {

    private final Lanes lanes;
    private final long fullForNanos;

    private boolean full;
    private long fullSinceNanos;
    private long departures;
    private long stillSinceNanos;

    MemoryPressure(Lanes lanes, Pacing pacing) {
        this.lanes = lanes;
        this.fullForNanos = pacing.fullFor().toNanos();
    }

    boolean isFull() {
        return full;
    }

    /** Cuts down routes that have more than their share of a memory that has been full for a while. */
    void relieve(boolean fullNow, long nowNanos) {
        if (fullNow && !full) {
            fullSinceNanos = nowNanos;
        }
        full = fullNow;
        if (full && nowNanos - fullSinceNanos > fullForNanos) {
            lanes.relieve();
        }
    }

    /** Whether nothing has left a memory with too little room for a while; then it counts anew. */
    boolean standsStill(long nowNanos) {
        if (!full || lanes.departures() != departures) {
            departures = lanes.departures();
            stillSinceNanos = nowNanos;
        }
        boolean forAWhile = nowNanos - stillSinceNanos > fullForNanos;
        stillSinceNanos = forAWhile ? nowNanos : stillSinceNanos;
        return forAWhile;
    }
}
