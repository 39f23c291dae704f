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
 * The meters of one relay: it counts as the relay's listener, and {@link #bind} adds the gauges once there is a relay to
 * ask. What follows an event is looked up by slot or destination alone, so that counting costs a look into a map.
 */
public final class RelayMeters implements RelayListener {

    private final MeterRegistry registry;
    private final Tags source;
    private final RelayGauges gauges;
    private final HeartbeatGauges beats;

    private final Map<Integer, Counter> deliveredBySlot = new ConcurrentHashMap<>();
    private final Map<Integer, Counter> claimedBySlot = new ConcurrentHashMap<>();
    private final Map<String, Timer> latencyByDestination = new ConcurrentHashMap<>();
    private final Timer settleTime;
    private final Timer beatTime;

    /**
     * Meters of a relay that may not exist yet.
     *
     * @param source what the relay's table is called, among others of the same registry
     */
    public RelayMeters(MeterRegistry registry, String source) {
        this.registry = registry;
        this.source = Tags.of("source", source);
        this.gauges = new RelayGauges(registry, this.source);
        this.beats = new HeartbeatGauges(registry, this.source);
        this.settleTime = timer("outbox.settle.time", this.source);
        this.beatTime = timer("outbox.cluster.beat.time", this.source);
        beginAtZero();
    }

    // So that an alert can tell the first death from a meter that was not there before. Those with a slot or a
    // destination come when the slot or the destination does.
    private void beginAtZero() {
        for (String outcome : new String[] {"done", "retry", "dead"}) {
            count("outbox.settle.events", source.and("outcome", outcome), 0);
        }
        for (String outcome : new String[] {"acquired", "refused", "released", "lost"}) {
            count("outbox.cluster.slots.changed", source.and("outcome", outcome), 0);
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
            "outbox.cluster.forgotten",
            "outbox.relay.failures"
        }) {
            count(name, 0);
        }
    }

    /** Shows this relay's slots, members, memory and destinations from now on, in place of a former one's. */
    public RelayMeters bind(Relay relay) {
        gauges.bind(relay);
        return this;
    }

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.Claimed e ->
                bySlot(claimedBySlot, "outbox.claim.events", e.slot()).increment(e.events());
            case RelayEvent.Delivered e -> delivered(e);
            case RelayEvent.Acknowledged e -> count("outbox.deliver.acknowledged", destination(e.destination()));
            case RelayEvent.Dropped e -> count("outbox.deliver.dropped");
            case RelayEvent.AttemptFailed e -> failed(e.destination(), "retry");
            case RelayEvent.Postponed e -> failed(e.destination(), "postponed");
            case RelayEvent.Died e -> failed(e.destination(), "dead");
            case RelayEvent.SuspectTried e -> {}
            case RelayEvent.Settled e -> settled(e);
            case RelayEvent.Fenced e -> count("outbox.settle.fenced", e.events());
            case RelayEvent.Parked e -> count("outbox.order.parked", slot(e.slot()));
            case RelayEvent.Unparked e -> count("outbox.order.unparked", slot(e.slot()));
            case RelayEvent.LanesSkipped e -> {}
            case RelayEvent.LanesFull e -> count("outbox.order.full", slot(e.slot()));
            case RelayEvent.HotKey e -> count("outbox.order.hot.key", slot(e.slot()));
            case RelayEvent.HotPartition e -> count("outbox.order.hot.partition", slot(e.slot()));
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
            case RelayEvent.Held e -> count("outbox.order.holds", source.and("outcome", "held"));
            case RelayEvent.Resumed e -> count("outbox.order.holds", source.and("outcome", "resumed"));
            case RelayEvent.SlotAcquired e -> slotChanged("acquired", 0);
            case RelayEvent.AcquireRefused e -> slotChanged("refused", 0);
            case RelayEvent.SlotReleased e -> slotChanged("released", e.abandoned());
            case RelayEvent.SlotLost e -> slotChanged("lost", e.abandoned());
            case RelayEvent.Rebalanced e -> count("outbox.cluster.rebalanced");
            case RelayEvent.Renumbered e -> count("outbox.cluster.renumbered");
            case RelayEvent.Joined e -> count("outbox.cluster.joined");
            case RelayEvent.Left e -> left();
            case RelayEvent.MembersChanged e -> count("outbox.cluster.members.changed");
            case RelayEvent.MembersMissing e -> beats.missing(e.nodeIds().size());
            case RelayEvent.MemberEnded e -> count("outbox.cluster.members.ended");
            case RelayEvent.DeliveriesPaused e -> count("outbox.cluster.deliveries.paused");
            case RelayEvent.DeliveriesResumed e -> {}
            case RelayEvent.Prepared e -> {}
            case RelayEvent.NodesForgotten e ->
                count("outbox.cluster.forgotten", e.nodeIds().size());
            case RelayEvent.Beaten e -> beaten(e);
            case RelayEvent.PartFailed e -> failed(e);
        }
    }

    private void delivered(RelayEvent.Delivered event) {
        bySlot(deliveredBySlot, "outbox.deliver.events", event.slot()).increment();
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

    private void slotChanged(String outcome, int abandoned) {
        count("outbox.cluster.slots.changed", source.and("outcome", outcome));
        count("outbox.deliver.abandoned", abandoned);
    }

    private void beaten(RelayEvent.Beaten event) {
        beatTime.record(event.took());
        beats.beaten(event.members());
    }

    private void failed(RelayEvent.PartFailed event) {
        count("outbox.relay.failures");
        if (event.part().equals(Relay.BEATING)) {
            beats.disconnected();
        }
    }

    private void left() {
        count("outbox.cluster.left");
        beats.disconnected();
    }

    private Counter bySlot(Map<Integer, Counter> counters, String name, int slot) {
        Counter counter = counters.get(slot);
        return counter != null ? counter : counters.computeIfAbsent(slot, s -> registry.counter(name, slot(s)));
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

    private Tags slot(int slot) {
        return source.and("slot", Integer.toString(slot));
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
