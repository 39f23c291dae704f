package outbox.relay.internal.node;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import outbox.dispatch.StoreClock;
import outbox.relay.RelayConfig;
import outbox.relay.internal.loop.DeliveryLoop;
import outbox.relay.internal.loop.LoopScheduler;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.loop.Trial;
import outbox.relay.internal.model.Pauses;
import outbox.relay.internal.order.LaneLimits;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionOwnership;

/** The slots that a node works on, each with its turns. Changed by the assignment alone, read by all. */
public final class OwnedPartitions {

    private static final long BYTES_MIN = 1 << 10;
    private static final int SKIPPED_PER_PASSED = 100;
    private static final int SKIPPED_MAX = 1_000_000;

    private final RelayContext around;
    private final LoopScheduler turns;
    private final Runnable whenEnded;
    private final StoreClock clock;
    private final Trial trial = new Trial();
    private final Map<Integer, Running> slots = new ConcurrentHashMap<>();

    /** A slot at work. */
    public record Running(DeliveryLoop loop, LoopScheduler.Handle handle) {
        ClusterLayout terms() {
            return loop.terms();
        }

        int slot() {
            return loop.hold().partition();
        }
    }

    /** @param whenEnded told when the work on a slot is over */
    OwnedPartitions(RelayContext around, LoopScheduler turns, StoreClock clock, Runnable whenEnded) {
        this.around = around;
        this.turns = turns;
        this.clock = clock;
        this.whenEnded = whenEnded;
    }

    public Collection<Running> all() {
        return slots.values();
    }

    List<DeliveryLoop> loops() {
        return slots.values().stream().map(Running::loop).toList();
    }

    @Nullable
    Running find(int slot) {
        return slots.get(slot);
    }

    /** The slot that a lane belongs to; null when this node does not work on it. */
    @Nullable
    Running ofLane(int lane) {
        for (Running any : slots.values()) { // All have the same terms, so the first tells.
            return any.terms().strategy().usesPartitions()
                    ? slots.get(any.terms().partitionOf(lane))
                    : any;
        }
        return null;
    }

    boolean has(int slot) {
        return slots.containsKey(slot);
    }

    boolean isEmpty() {
        return slots.isEmpty();
    }

    Set<Integer> numbers() {
        return new TreeSet<>(slots.keySet());
    }

    Map<Integer, Long> delivered() {
        Map<Integer, Long> delivered = new HashMap<>();
        slots.forEach((slot, each) -> delivered.put(slot, each.loop().delivered()));
        return delivered;
    }

    /** Begins to work on a slot. */
    void begin(DeliveryLoop.Tenure tenure, LongSupplier holdsBegun, Pauses holds) {
        AtomicReference<LoopScheduler.@Nullable Handle> handle = new AtomicReference<>();
        Runnable waker = () -> {
            LoopScheduler.Handle known = handle.get();
            if (known != null) {
                known.wake();
            }
        };
        DeliveryLoop loop = new DeliveryLoop(
                tenure,
                new DeliveryLoop.Surroundings(waker, whenEnded, holdsBegun, trial, clock),
                around,
                limits(tenure.terms()));
        loop.apply(holds);
        LoopScheduler.Handle place = turns.add("slot " + tenure.hold().partition(), loop);
        handle.set(place);
        slots.put(tenure.hold().partition(), new Running(loop, place));
        place.wake();
    }

    // Divided by all partitions, not by those owned now: the others may come when their nodes go.
    private LaneLimits limits(ClusterLayout terms) {
        RelayConfig.ClaimConfig claim = around.config().claim();
        int events = Math.max(1, claim.eventsMax() / terms.partitions());
        long bytes = Math.max(BYTES_MIN, claim.bytesMax() / terms.partitions());
        int passed = claim.lanesSkippedMax();
        // Whoever claims rows one by one cannot read them from the beginning, which is what brings skipped lanes back.
        int skipped = terms.strategy().usesPartitions() ? Math.min(SKIPPED_MAX, passed * SKIPPED_PER_PASSED) : 0;
        return new LaneLimits(events, bytes, Math.min(events, claim.eventsPerLaneMax()), passed, skipped);
    }

    /** Ends the turns of a slot whose work is over. */
    void forget(PartitionOwnership hold) {
        Running each = slots.remove(hold.partition());
        if (each != null) {
            each.handle().end();
        }
    }
}
