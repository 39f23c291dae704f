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
import outbox.relay.internal.loop.LoopNode;
import outbox.relay.internal.loop.LoopOwner;
import outbox.relay.internal.loop.LoopScheduler;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.loop.SuspectLock;
import outbox.relay.internal.model.Pauses;
import outbox.relay.internal.order.LaneLimits;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionOwnership;

/** The partitions that a node works on. Only the assignment changes them; any thread reads them. */
public final class OwnedPartitions {

    private static final long BYTES_MIN = 1 << 10;
    private static final int OVERFLOW_PER_SKIPPED = 100;
    private static final int OVERFLOW_MAX = 1_000_000;

    private final RelayContext relay;
    private final LoopScheduler scheduler;
    private final Runnable whenEnded;
    private final StoreClock clock;
    private final SuspectLock suspectLock = new SuspectLock();
    private final Map<Integer, Running> partitions = new ConcurrentHashMap<>();

    /** A partition and its loop. */
    public record Running(DeliveryLoop loop, LoopScheduler.Handle handle) {
        ClusterLayout layout() {
            return loop.terms();
        }

        int partition() {
            return loop.ownership().partition();
        }
    }

    /** @param whenEnded run when the loop of a partition has ended */
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

    /** The partition of a lane; null when this node does not work on it. */
    @Nullable
    Running owning(int lane) {
        for (Running any : partitions.values()) { // All have the same layout.
            return any.layout().strategy().usesPartitions()
                    ? partitions.get(any.layout().partitionOf(lane))
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

    /** Begins to work on a partition. */
    void begin(LoopOwner owner, LongSupplier pauseReadsBegun, Pauses pauses) {
        AtomicReference<LoopScheduler.@Nullable Handle> handle = new AtomicReference<>();
        Runnable waker = () -> {
            LoopScheduler.Handle known = handle.get();
            if (known != null) {
                known.wake();
            }
        };
        DeliveryLoop loop = new DeliveryLoop(
                owner,
                new LoopNode(waker, whenEnded, pauseReadsBegun, suspectLock, clock),
                relay,
                limits(owner.layout()));
        loop.apply(pauses);
        LoopScheduler.Handle scheduled =
                scheduler.add("partition " + owner.ownership().partition(), loop);
        handle.set(scheduled);
        partitions.put(owner.ownership().partition(), new Running(loop, scheduled));
        scheduled.wake();
    }

    // Divided by all partitions, not only by those owned now: the others may come when their nodes go.
    private LaneLimits limits(ClusterLayout layout) {
        RelayConfig.ClaimConfig claim = relay.config().claim();
        int events = Math.max(1, claim.eventsMax() / layout.partitions());
        long bytes = Math.max(BYTES_MIN, claim.bytesMax() / layout.partitions());
        int skipped = claim.lanesSkippedMax();
        // A loop that claims rows by lease cannot fetch from the beginning, which overflowed lanes need.
        int overflow = layout.strategy().usesPartitions() ? Math.min(OVERFLOW_MAX, skipped * OVERFLOW_PER_SKIPPED) : 0;
        return new LaneLimits(events, bytes, Math.min(events, claim.eventsPerLaneMax()), skipped, overflow);
    }

    /** Stops running the loop of a partition. */
    void forget(PartitionOwnership ownership) {
        Running each = partitions.remove(ownership.partition());
        if (each != null) {
            each.handle().end();
        }
    }
}
