package outbox.relay.observe;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the events of a relay. Any thread may read at any time; figures that are read together may be of different
 * moments.
 *
 * <p>Labels have few values: partitions and destinations. Keys and event ids are never labels.
 */
public final class RelayMetrics implements RelayListener {

    /** The counters. */
    public enum Counter {
        CLAIMED,
        DELIVERED,
        ACKNOWLEDGED,
        DROPPED,
        ATTEMPTS_FAILED,
        SETTLED_DONE,
        SETTLED_RETRY,
        SETTLED_DEAD,
        PARKED,
        FENCED,
        ACQUIRED,
        ACQUIRE_REFUSED,
        RELEASED,
        LOST,
        REBALANCED,
        ABANDONED,
        HEARTBEATS,
        DELIVERIES_PAUSED,
        BREAKER_OPENED,
        HOT_SPOTS,
        FAILURES
    }

    private final Map<Counter, LongAdder> counters = new ConcurrentHashMap<>();
    private final Map<Integer, LongAdder> deliveredByPartition = new ConcurrentHashMap<>();
    private final Map<String, LatencyHistogram> latencyByDestination = new ConcurrentHashMap<>();
    private final AtomicLong members = new AtomicLong();
    private final AtomicLong slowestHeartbeatMicros = new AtomicLong();
    private final LatencyHistogram settleLatency = new LatencyHistogram();

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.Claimed e -> add(Counter.CLAIMED, e.events());
            case RelayEvent.Delivered e -> {
                add(Counter.DELIVERED, 1);
                deliveredByPartition
                        .computeIfAbsent(e.partition(), partition -> new LongAdder())
                        .increment();
                latencyByDestination
                        .computeIfAbsent(e.destination(), name -> new LatencyHistogram())
                        .record(e.latency());
            }
            case RelayEvent.Acknowledged e -> add(Counter.ACKNOWLEDGED, 1);
            case RelayEvent.Dropped e -> add(Counter.DROPPED, 1);
            case RelayEvent.AttemptFailed e -> add(Counter.ATTEMPTS_FAILED, 1);
            case RelayEvent.Postponed e -> add(Counter.ATTEMPTS_FAILED, 1);
            case RelayEvent.Died e -> add(Counter.ATTEMPTS_FAILED, 1);
            case RelayEvent.Settled e -> {
                add(Counter.SETTLED_DONE, e.done());
                add(Counter.SETTLED_RETRY, e.retry());
                add(Counter.SETTLED_DEAD, e.dead());
                settleLatency.record(e.took());
            }
            case RelayEvent.Parked e -> add(Counter.PARKED, 1);
            case RelayEvent.Fenced e -> add(Counter.FENCED, e.events());
            case RelayEvent.PartitionAcquired e -> add(Counter.ACQUIRED, 1);
            case RelayEvent.AcquireRefused e -> add(Counter.ACQUIRE_REFUSED, 1);
            case RelayEvent.PartitionReleased e -> {
                add(Counter.RELEASED, 1);
                add(Counter.ABANDONED, e.abandoned());
            }
            case RelayEvent.PartitionLost e -> {
                add(Counter.LOST, 1);
                add(Counter.ABANDONED, e.abandoned());
            }
            case RelayEvent.Rebalanced e -> add(Counter.REBALANCED, 1);
            case RelayEvent.HeartbeatSent e -> {
                add(Counter.HEARTBEATS, 1);
                members.set(e.members());
                slowestHeartbeatMicros.accumulateAndGet(e.took().toNanos() / 1_000, Math::max);
            }
            case RelayEvent.DeliveriesPaused e -> add(Counter.DELIVERIES_PAUSED, 1);
            case RelayEvent.DeliveriesResumed e -> {}
            case RelayEvent.BreakerChanged e -> {
                if (e.state() == RelayEvent.BreakerChanged.State.OPEN) {
                    add(Counter.BREAKER_OPENED, 1);
                }
            }
            case RelayEvent.HotPartition e -> add(Counter.HOT_SPOTS, 1);
            case RelayEvent.HotKey e -> add(Counter.HOT_SPOTS, 1);
            case RelayEvent.PartFailed e -> add(Counter.FAILURES, 1);
            case RelayEvent.Joined e -> {}
            case RelayEvent.Rerouted e -> {}
            case RelayEvent.DestinationChanged e -> {}
            case RelayEvent.Left e -> members.set(0);
            case RelayEvent.MembersChanged e -> {}
            case RelayEvent.MembersMissing e -> {}
            case RelayEvent.MemberEnded e -> {}
            case RelayEvent.SuspectTried e -> {}
            case RelayEvent.Prepared e -> {}
            case RelayEvent.NodesForgotten e -> {}
            case RelayEvent.Repartitioned e -> {}
            case RelayEvent.Unparked e -> {}
            case RelayEvent.LanesOverflowed e -> {}
            case RelayEvent.LanesFull e -> {}
            case RelayEvent.AddressChanged e -> {}
            case RelayEvent.Paused e -> {}
            case RelayEvent.Resumed e -> {}
        }
    }

    private void add(Counter counter, long count) {
        counters.computeIfAbsent(counter, name -> new LongAdder()).add(count);
    }

    public long count(Counter counter) {
        LongAdder adder = counters.get(counter);
        return adder == null ? 0 : adder.sum();
    }

    /** How many events this node has delivered from each partition. */
    public Map<Integer, Long> deliveredByPartition() {
        Map<Integer, Long> counts = new TreeMap<>();
        deliveredByPartition.forEach((partition, adder) -> counts.put(partition, adder.sum()));
        return counts;
    }

    /** The time from being stored to being acknowledged. */
    public Map<String, LatencyHistogram.Summary> latencyByDestination() {
        Map<String, LatencyHistogram.Summary> summaries = new TreeMap<>();
        latencyByDestination.forEach((name, latency) -> summaries.put(name, latency.summary()));
        return summaries;
    }

    public LatencyHistogram.Summary settleLatency() {
        return settleLatency.summary();
    }

    /** Live nodes as of the last heartbeat; 0 while this node is no member. */
    public long members() {
        return members.get();
    }

    public Duration slowestHeartbeat() {
        return Duration.ofNanos(slowestHeartbeatMicros.get() * 1_000);
    }
}
