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
import outbox.relay.internal.loop.SuspectLock;
import outbox.relay.internal.model.Pauses;
import outbox.relay.internal.order.LaneLimits;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionOwnership;

/** The slots that a node works on, each with its turns. Changed by the assignment alone, read by all. */
public final class OwnedPartitions {

    private static final long BYTES_MIN = 1 << 10;
    private static final int SKIPPED_PER_PASSED = 100;
    private static final int SKIPPED_MAX = 1_000_000;

    private final RelayContext relay;
    private final LoopScheduler scheduler;
    private final Runnable whenEnded;
    private final StoreClock clock;
    private final SuspectLock suspectLock = new SuspectLock();
    private final Map<Integer, Running> partitions = new ConcurrentHashMap<>();

    /** A slot at work. */
    public record Running(DeliveryLoop loop, LoopScheduler.Handle handle) {
        ClusterLayout layout() {
            return loop.terms();
        }

        int partition() {
            return loop.ownership().slot();
        }
    }

    /** @param whenEnded told when the work on a slot is over */
    OwnedPartitions(RelayContext relay, LoopScheduler scheduler, StoreClock clock, Runnable whenEnded) {
        this.relay = relay;
        this.scheduler = scheduler;
        this.clock = clock;
        this.whenEnded = whenEnded;
    }

    public Collection<Running> all() {
        return partitions.values();
    }

    List<DeliveryLoop> loops() {
        return partitions.values().stream().map(Running::loop).toList();
    }

    @Nullable
    Running find(int partition) {
        return partitions.get(partition);
    }

    /** The slot that a lane belongs to; null when this node does not work on it. */
    @Nullable
    Running owning(int lane) {
        for (Running any : partitions.values()) { // All have the same terms, so the first tells.
            return any.layout().strategy().hasSlots()
                    ? partitions.get(any.layout().slotOf(lane))
                    : any;
        }
        return null;
    }

    boolean has(int partition) {
        return partitions.containsKey(partition);
    }

    boolean isEmpty() {
        return partitions.isEmpty();
    }

    Set<Integer> numbers() {
        return new TreeSet<>(partitions.keySet());
    }

    Map<Integer, Long> delivered() {
        Map<Integer, Long> delivered = new HashMap<>();
        partitions.forEach(
                (partition, each) -> delivered.put(partition, each.loop().delivered()));
        return delivered;
    }

    /** Begins to work on a slot. */
    void begin(DeliveryLoop.LoopOwner owner, LongSupplier pauseReadsBegun, Pauses pauses) {
        AtomicReference<LoopScheduler.@Nullable Handle> handle = new AtomicReference<>();
        Runnable waker = () -> {
            LoopScheduler.Handle known = handle.get();
            if (known != null) {
                known.wake();
            }
        };
        DeliveryLoop loop = new DeliveryLoop(
                owner,
                new DeliveryLoop.LoopNode(waker, whenEnded, pauseReadsBegun, suspectLock, clock),
                relay,
                limits(owner.terms()));
        loop.apply(pauses);
        LoopScheduler.Handle scheduled =
                scheduler.add("partition " + owner.ownership().slot(), loop);
        handle.set(scheduled);
        partitions.put(owner.ownership().slot(), new Running(loop, scheduled));
        scheduled.wake();
    }

    // Divided by all partitions, not by those owned now: the others may come when their nodes go.
    private LaneLimits limits(ClusterLayout terms) {
        RelayConfig.ClaimConfig claim = relay.config().claim();
        int events = Math.max(1, claim.eventsMax() / terms.partitions());
        long bytes = Math.max(BYTES_MIN, claim.bytesMax() / terms.partitions());
        int skipped = claim.lanesPassedMax();
        // Whoever claims rows one by one cannot read them from the beginning, which is what brings skipped lanes back.
        int overflow = terms.strategy().hasSlots() ? Math.min(SKIPPED_MAX, skipped * SKIPPED_PER_PASSED) : 0;
        return new LaneLimits(events, bytes, Math.min(events, claim.eventsPerLaneMax()), skipped, overflow);
    }

    /** Ends the turns of a slot whose work is over. */
    void forget(PartitionOwnership ownership) {
        Running each = partitions.remove(ownership.slot());
        if (each != null) {
            each.handle().end();
        }
    }
}
