package outbox.relay.internal.loop;

import org.jspecify.annotations.Nullable;
import outbox.relay.internal.order.Lanes;
import outbox.relay.observe.RelayEvent;

/** Watches how full a partition's memory is: makes room when it is full for long, and publishes when too many lanes wait. */
final class MemoryPressure {

    private final LoopContext context;
    private final Lanes lanes;
    private final AddressPauses addressPauses;
    private final long fullForNanos;

    private boolean full;
    private long fullSinceNanos;
    private long removals;
    private long stuckSinceNanos;
    private boolean overflowing;
    private volatile RelayEvent.@Nullable LanesFull lanesFull; // written by the loop, read by any thread

    MemoryPressure(LoopContext context, AddressPauses addressPauses) {
        this.context = context;
        this.lanes = context.lanes();
        this.addressPauses = addressPauses;
        this.fullForNanos = context.relay().pacing().fullFor().toNanos();
    }

    boolean isFull() {
        return full;
    }

    /** Cuts down routes that have more than their share of a memory that has been full for a while. */
    void update() {
        boolean before = full;
        full = context.claimer().needsRoom(lanes);
        if (full && !before) {
            fullSinceNanos = context.now();
        }
        if (full && context.now() - fullSinceNanos > fullForNanos) {
            lanes.evictExcess();
        }
    }

    /** Whether nothing has left a memory with too little room for a while; then the time is counted from now. */
    boolean isStuck() {
        long now = context.now();
        if (!full || lanes.removals() != removals) {
            removals = lanes.removals();
            stuckSinceNanos = now;
        }
        boolean forAWhile = now - stuckSinceNanos > fullForNanos;
        stuckSinceNanos = forAWhile ? now : stuckSinceNanos;
        return forAWhile;
    }

    /** Why nothing new is fetched; null while something may be. Any thread. */
    RelayEvent.@Nullable LanesFull lanesFull() {
        return lanesFull;
    }

    // The lanes that wait are counted only when they have become too many, and not again while they are.
    void publish() {
        if (!lanes.waiting().isFull()) {
            lanesFull = null;
        } else if (lanesFull == null) {
            String waitFor = addressPauses
                    .mostAwaited()
                    .or(lanes.waiting()::mostAwaitedTarget)
                    .orElse(null);
            RelayEvent.LanesFull now = new RelayEvent.LanesFull(
                    context.partition(), lanes.waiting().lanesWaiting(), waitFor);
            context.publish(now);
            lanesFull = now;
        }
        boolean before = overflowing;
        overflowing = lanes.waiting().hasOverflow();
        if (overflowing && !before) {
            context.publish(new RelayEvent.LanesOverflowed(
                    context.partition(), lanes.skippedLanes().size()));
        }
    }
}
