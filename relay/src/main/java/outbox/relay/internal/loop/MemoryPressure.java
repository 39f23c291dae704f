package outbox.relay.internal.loop;

import outbox.relay.internal.model.Pacing;
import outbox.relay.internal.order.Lanes;

/** Knows for how long a slot's memory has been too full to fetch, and makes room when that is too long. */
final class MemoryPressure {

    private final Lanes lanes;
    private final long fullForNanos;

    private boolean full;
    private long fullSinceNanos;
    private long removals;
    private long stuckSinceNanos;

    MemoryPressure(Lanes lanes, Pacing pacing) {
        this.lanes = lanes;
        this.fullForNanos = pacing.fullFor().toNanos();
    }

    boolean isFull() {
        return full;
    }

    /** Cuts down routes that have more than their share of a memory that has been full for a while. */
    void update(boolean fullNow, long nowNanos) {
        if (fullNow && !full) {
            fullSinceNanos = nowNanos;
        }
        full = fullNow;
        if (full && nowNanos - fullSinceNanos > fullForNanos) {
            lanes.evictExcess();
        }
    }

    /** Whether nothing has left a memory with too little room for a while; then it counts anew. */
    boolean isStuck(long nowNanos) {
        if (!full || lanes.removals() != removals) {
            removals = lanes.removals();
            stuckSinceNanos = nowNanos;
        }
        boolean forAWhile = nowNanos - stuckSinceNanos > fullForNanos;
        stuckSinceNanos = forAWhile ? nowNanos : stuckSinceNanos;
        return forAWhile;
    }
}
