package outbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.internal.SupervisedLoop;
import outbox.internal.Ulids;
import outbox.model.OutboxEvent;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.deliver.DestinationGates;
import outbox.relay.internal.deliver.Resender;
import outbox.relay.internal.loop.LoopExecutor;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.model.Pacing;
import outbox.relay.internal.node.LocalWakeUp;
import outbox.relay.internal.node.NodeThreads;
import outbox.relay.internal.node.RelayNode;
import outbox.relay.internal.node.WarmUp;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayEvent.DestinationChanged.Change;
import outbox.relay.observe.RelayListener;
import outbox.relay.observe.RelayListeners;
import outbox.relay.observe.RelayLog;
import outbox.relay.observe.RelayMetrics;
import outbox.relay.route.ReplaceableRouter;
import outbox.relay.route.Route;
import outbox.relay.route.Router;
import outbox.retention.RetentionPurger;
import outbox.spi.Destination;
import outbox.spi.HotPath;
import outbox.spi.TimeSource;
import outbox.spi.relay.Pause;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/**
 * A relay in this process: delivers stored events, alone or together with other relays of the same table. It recovers
 * automatically from restarts of the database, of destinations and of other nodes.
 *
 * <p>One thread sends heartbeats, one assigns partitions, one peeks, one listens if the store can notify of commits,
 * and a few run the iterations of the partitions. No exception ends any of them.
 */
public final class Relay implements AutoCloseable {

    /** The name of the heartbeat in reports of failures. */
    public static final String HEARTBEATING = NodeThreads.HEARTBEAT;

    private final RelayNode node;
    private final RelayContext context;
    private final ReplaceableRouter router;
    private final LoopExecutor loops;
    private final RelayMetrics metrics;
    private final @Nullable WakeUpChannel channel;
    private final @Nullable WakeUpSender sender;
    private final @Nullable RetentionPurger purger;
    private final NodeThreads threads;
    /** Destinations that were replaced or removed and still have calls in flight. */
    private final Set<DestinationGate> retired = ConcurrentHashMap.newKeySet();

    Relay(RelayBuilder builder) {
        this.metrics = new RelayMetrics();
        List<RelayListener> listeners = new ArrayList<>(List.of(new RelayLog(builder.time), metrics, this::checkSoon));
        listeners.addAll(builder.listeners);
        RelayListener listener = new RelayListeners(listeners);
        TimeSource time = builder.time;
        Map<String, DestinationGate> gates = new LinkedHashMap<>();
        builder.destinations.forEach((name, target) ->
                gates.put(name, new DestinationGate(name, target.destination(), target.config(), time, listener)));
        this.router = new ReplaceableRouter(builder.router());
        this.context = new RelayContext(builder.config, router, gates, time, listener, Pacing.MEASURED);
        this.loops = new LoopExecutor(builder.workers, time, Pacing.MEASURED);
        this.node = new RelayNode(builder.stores, context, Ulids.SYSTEM::next, loops);
        this.channel = builder.channel;
        this.sender = channel == null ? null : new WakeUpSender(channel, node.wakeUps()::wakeLane);
        this.purger = builder.retentionStore == null
                ? null
                : new RetentionPurger(builder.retentionStore, builder.retention, time);
        this.threads = new NodeThreads(node, context, new WarmUp(builder.stores.partitions(), context), channel);
    }

    /** Builds a relay on these stores, with defaults for everything else. */
    public static RelayBuilder on(RelayStores stores, RelayConfig config) {
        return new RelayBuilder(stores, config);
    }

    private void checkSoon(RelayEvent event) {
        threads.checkSoon(event);
    }

    /**
     * Joins the cluster and begins to deliver.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when the table has another layout
     */
    public Relay start() {
        node.join();
        loops.start();
        threads.start();
        if (sender != null) {
            sender.start();
        }
        if (purger != null) {
            purger.start();
        }
        return this;
    }

    /** The hot path for an application in this process: its commits wake the relay at once. */
    public HotPath hotPath() {
        return sender != null ? sender : new LocalWakeUp(node.wakeUps());
    }

    /**
     * Replaces the routes while the relay runs. Deliveries in flight end on their old route; after that their key takes
     * the new one. Waiting events take the new route, and so do events that had none. No event is lost, and every key
     * keeps its order.
     *
     * @throws IllegalArgumentException when a route leads to an unknown destination; the routes then do not change
     */
    public synchronized void reroute(Router next) {
        context.gates().require(next);
        router.replace(next);
        node.rerouted();
    }

    /**
     * Adds a destination while the relay runs, or replaces the one of that name: its calls in flight end first, and
     * then the former destination is closed. The new one is used from the next assignment on, within a heartbeat,
     * unless it is paused.
     */
    public synchronized void destination(String name, Destination destination, DestinationConfig treatment) {
        DestinationGate gate = new DestinationGate(name, destination, treatment, context.time(), context.listener());
        gate.pause(); // Until the assignment has read the pauses.
        Optional<DestinationGate> former = context.gates().put(gate);
        former.ifPresent(this::retire);
        context.listener()
                .on(new RelayEvent.DestinationChanged(name, former.isPresent() ? Change.REPLACED : Change.ADDED));
    }

    /**
     * Removes a destination that no route leads to; it is closed when its calls have ended.
     *
     * @throws IllegalArgumentException when a route leads to it, or there is none of that name
     */
    public synchronized void removeDestination(String name) {
        for (Route route : router.routes()) {
            if (route.destination().equals(name)) {
                throw new IllegalArgumentException("destination " + name + " cannot be removed: route " + route.name()
                        + " leads to it. Replace the routes first.");
            }
        }
        DestinationGate former = context.gates()
                .remove(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no destination " + name
                        + " to remove, the destinations are " + context.gates().names()));
        retire(former);
        context.listener().on(new RelayEvent.DestinationChanged(name, Change.REMOVED));
    }

    // Closes on a new thread: the last answer may come on a thread of the destination, which must not wait for itself.
    private void retire(DestinationGate gate) {
        retired.add(gate);
        gate.retire(() -> Thread.ofVirtual().name("outbox-relay-retire").start(() -> closeRetired(gate)));
    }

    private void closeRetired(DestinationGate gate) {
        if (retired.remove(gate)) {
            attempt("close the former destination " + gate.name(), gate.destination()::close);
        }
    }

    /**
     * Pauses the subjects that this node's configuration names, each with a reason, in addition to the pauses in the
     * store. Replaces the pauses of the previous call. Takes effect within a heartbeat.
     */
    public void pause(Map<Pause.Subject, String> reasons) {
        node.pause(reasons);
    }

    /**
     * Sends stored events to a destination again, within its limits, without changing their rows. Events of a key
     * arrive in the given order, unless another event of the key is in flight. Waits for the answers, and ends with the
     * first event that is not acknowledged or when the time is over.
     *
     * @throws java.util.NoSuchElementException when there is no such destination
     */
    public ResendResult resend(List<OutboxEvent> events, String destination, Duration atMost)
            throws InterruptedException {
        DestinationGate gate = context.gates()
                .find(destination)
                .orElseThrow(() -> new NoSuchElementException("there is no destination " + destination
                        + ", the destinations are " + context.gates().names()));
        return new Resender(gate, router, context.time()).send(events, atMost);
    }

    /** The current router. */
    public Router router() {
        return router;
    }

    /** The current state of this relay, its destinations and its cluster. Any thread. */
    public RelayStatus status() {
        Map<String, DestinationStatus> destinations = new LinkedHashMap<>();
        context.gates().all().forEach(gate -> destinations.put(gate.name(), gate.status()));
        return new RelayStatus(
                context.time().instant(),
                node.isMember(),
                node.partitions(),
                node.view().orElse(null),
                node.pauses(),
                node.fullPartitions(),
                node.eventsInMemory(),
                destinations);
    }

    /** For tests. */
    DestinationGates gates() {
        return context.gates();
    }

    public RelayMetrics metrics() {
        return metrics;
    }

    /** The names of its threads that have ended although it is open. Only a new process repairs that. Any thread. */
    public List<String> endedLoops() {
        return Stream.of(
                        SupervisedLoop.ended(loops()),
                        sender == null ? List.<String>of() : sender.endedLoops(),
                        purger == null ? List.<String>of() : purger.endedLoops())
                .flatMap(List::stream)
                .toList();
    }

    Stream<SupervisedLoop> loops() {
        return Stream.concat(threads.loops().stream(), loops.threads().stream());
    }

    /** For tests. */
    RelayNode node() {
        return node;
    }

    /**
     * Finishes the deliveries in flight, within the drain timeout, hands over the partitions, leaves the cluster, and
     * closes the destinations.
     */
    @Override
    public void close() {
        node.stop();
        try {
            threads.handOver();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.interrupt();
        loops.close();
        attempt("leave the cluster", node::leave);
        if (sender != null) {
            sender.close();
        }
        if (purger != null) {
            purger.close();
        }
        if (channel != null) {
            attempt("close the wake-up channel", channel::close);
        }
        context.gates().all().forEach(gate -> attempt("close destination " + gate.name(), gate.destination()::close));
        retired.forEach(this::closeRetired);
    }

    private void attempt(String what, Runnable action) {
        threads.attempt(what, action);
    }
}
