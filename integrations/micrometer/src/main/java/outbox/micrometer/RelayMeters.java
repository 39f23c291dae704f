package outbox.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import outbox.relay.Relay;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayEvent.DestinationChanged.Change;
import outbox.relay.observe.RelayListener;

/**
 * Meters of one relay. It counts as the relay's listener, and {@link #bind} adds the gauges once the relay exists.
 * Frequent events find their counter by partition or destination alone, so counting costs one map lookup.
 */
public final class RelayMeters implements RelayListener {

    private final MeterRegistry registry;
    private final Tags source;
    private final RelayGauges gauges;
    private final HeartbeatGauges heartbeats;

    private final Map<Integer, Counter> deliveredByPartition = new ConcurrentHashMap<>();
    private final Map<Integer, Counter> claimedByPartition = new ConcurrentHashMap<>();
    private final Map<String, Timer> latencyByDestination = new ConcurrentHashMap<>();
    private final Timer settleTime;
    private final Timer heartbeatTime;

    /**
     * Creates the meters of a relay that may not exist yet.
     *
     * @param source the name of the relay's table among others of the same registry
     */
    public RelayMeters(MeterRegistry registry, String source) {
        this.registry = registry;
        this.source = Tags.of("source", source);
        this.gauges = new RelayGauges(registry, this.source);
        this.heartbeats = new HeartbeatGauges(registry, this.source);
        this.settleTime = timer("outbox.settle.time", this.source);
        this.heartbeatTime = timer("outbox.cluster.heartbeat.time", this.source);
        beginAtZero();
    }

    // An alert can only distinguish the first dead event from a missing meter if the meter starts at zero. Meters with
    // a partition or a destination appear with the partition or the destination.
    private void beginAtZero() {
        for (String outcome : new String[] {"done", "retry", "dead"}) {
            count("outbox.settle.events", source.and("outcome", outcome), 0);
        }
        for (String outcome : new String[] {"acquired", "refused", "released", "lost"}) {
            count("outbox.cluster.partitions.changed", source.and("outcome", outcome), 0);
        }
        for (String name : new String[] {
            "outbox.settle.fenced",
            "outbox.deliver.abandoned",
            "outbox.deliver.dropped",
            "outbox.cluster.rebalanced",
            "outbox.cluster.joined",
            "outbox.cluster.left",
            "outbox.cluster.members.changed",
            "outbox.cluster.members.ended",
            "outbox.cluster.deliveries.paused",
            "outbox.cluster.nodes.removed",
            "outbox.relay.failures"
        }) {
            count(name, 0);
        }
    }

    /** Shows the partitions, members, memory and destinations of this relay, replacing a former relay's. */
    public RelayMeters bind(Relay relay) {
        gauges.bind(relay);
        return this;
    }

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.Claimed e ->
                byPartition(claimedByPartition, "outbox.claim.events", e.partition())
                        .increment(e.events());
            case RelayEvent.Delivered e -> delivered(e);
            case RelayEvent.Acknowledged e -> count("outbox.deliver.acknowledged", destination(e.destination()));
            case RelayEvent.Dropped e -> count("outbox.deliver.dropped");
            case RelayEvent.AttemptFailed e -> failed(e.destination(), "retry");
            case RelayEvent.Postponed e -> failed(e.destination(), "postponed");
            case RelayEvent.Died e -> failed(e.destination(), "dead");
            case RelayEvent.SuspectTried e -> {}
            case RelayEvent.Settled e -> settled(e);
            case RelayEvent.Fenced e -> count("outbox.settle.fenced", e.events());
            case RelayEvent.Parked e -> count("outbox.order.parked", partition(e.partition()));
            case RelayEvent.Unparked e -> count("outbox.order.unparked", partition(e.partition()));
            case RelayEvent.LanesOverflowed e -> {}
            case RelayEvent.LanesFull e -> count("outbox.order.memory.full", partition(e.partition()));
            case RelayEvent.HotKey e -> count("outbox.order.hot.key", partition(e.partition()));
            case RelayEvent.HotPartition e -> count("outbox.order.hot.partition", partition(e.partition()));
            case RelayEvent.BreakerChanged e ->
                count(
                        "outbox.deliver.breaker.changes",
                        destination(e.destination())
                                .and(
                                        "outcome",
                                        e.state()
                                                .name()
                                                .toLowerCase(Locale.ROOT)
                                                .replace('_', '-')));
            case RelayEvent.AddressChanged e ->
                count(
                        "outbox.deliver.address.changes",
                        destination(e.destination()).and("outcome", e.available() ? "available" : "unavailable"));
            case RelayEvent.Rerouted e -> count("outbox.deliver.rerouted");
            case RelayEvent.DestinationChanged e -> destinationChanged(e);
            case RelayEvent.Paused e -> count("outbox.pause.changes", source.and("outcome", "paused"));
            case RelayEvent.Resumed e -> count("outbox.pause.changes", source.and("outcome", "resumed"));
            case RelayEvent.PartitionAcquired e -> partitionChanged("acquired", 0);
            case RelayEvent.AcquireRefused e -> partitionChanged("refused", 0);
            case RelayEvent.PartitionReleased e -> partitionChanged("released", e.abandoned());
            case RelayEvent.PartitionLost e -> partitionChanged("lost", e.abandoned());
            case RelayEvent.Rebalanced e -> count("outbox.cluster.rebalanced");
            case RelayEvent.Repartitioned e -> count("outbox.cluster.repartitioned");
            case RelayEvent.Joined e -> count("outbox.cluster.joined");
            case RelayEvent.Left e -> left();
            case RelayEvent.MembersChanged e -> count("outbox.cluster.members.changed");
            case RelayEvent.MembersMissing e -> heartbeats.missing(e.nodeIds().size());
            case RelayEvent.MemberEnded e -> count("outbox.cluster.members.ended");
            case RelayEvent.DeliveriesPaused e -> count("outbox.cluster.deliveries.paused");
            case RelayEvent.DeliveriesResumed e -> {}
            case RelayEvent.Prepared e -> {}
            case RelayEvent.NodesForgotten e ->
                count("outbox.cluster.nodes.removed", e.nodeIds().size());
            case RelayEvent.HeartbeatSent e -> heartbeatSent(e);
            case RelayEvent.PartFailed e -> failed(e);
        }
    }

    private void delivered(RelayEvent.Delivered event) {
        byPartition(deliveredByPartition, "outbox.deliver.events", event.partition())
                .increment();
        Timer latency = latencyByDestination.get(event.destination());
        if (latency == null) {
            latency = latencyByDestination.computeIfAbsent(
                    event.destination(), name -> timer("outbox.deliver.latency", destination(name)));
        }
        latency.record(event.latency());
    }

    private void failed(String destination, String outcome) {
        count("outbox.deliver.failed", destination(destination).and("outcome", outcome));
    }

    private void settled(RelayEvent.Settled event) {
        settleTime.record(event.took());
        count("outbox.settle.events", source.and("outcome", "done"), event.done());
        count("outbox.settle.events", source.and("outcome", "retry"), event.retry());
        count("outbox.settle.events", source.and("outcome", "dead"), event.dead());
    }

    private void destinationChanged(RelayEvent.DestinationChanged event) {
        if (event.change() == Change.ADDED) {
            gauges.show(event.destination());
        }
    }

    private void partitionChanged(String outcome, int abandoned) {
        count("outbox.cluster.partitions.changed", source.and("outcome", outcome));
        count("outbox.deliver.abandoned", abandoned);
    }

    private void heartbeatSent(RelayEvent.HeartbeatSent event) {
        heartbeatTime.record(event.took());
        heartbeats.heartbeatSent(event.members());
    }

    private void failed(RelayEvent.PartFailed event) {
        count("outbox.relay.failures");
        if (event.part().equals(Relay.HEARTBEATING)) {
            heartbeats.disconnected();
        }
    }

    private void left() {
        count("outbox.cluster.left");
        heartbeats.disconnected();
    }

    private Counter byPartition(Map<Integer, Counter> counters, String name, int partition) {
        Counter counter = counters.get(partition);
        return counter != null
                ? counter
                : counters.computeIfAbsent(partition, number -> registry.counter(name, partition(number)));
    }

    private void count(String name) {
        count(name, source, 1);
    }

    private void count(String name, double amount) {
        count(name, source, amount);
    }

    private void count(String name, Tags tags) {
        count(name, tags, 1);
    }

    private void count(String name, Tags tags, double amount) {
        registry.counter(name, tags).increment(amount);
    }

    private Tags partition(int partition) {
        return source.and("partition", Integer.toString(partition));
    }

    private Tags destination(String name) {
        return source.and("destination", name);
    }

    private Timer timer(String name, Tags tags) {
        return Timer.builder(name)
                .tags(tags)
                .serviceLevelObjectives(LatencyBuckets.BOUNDS)
                .register(registry);
    }
}
