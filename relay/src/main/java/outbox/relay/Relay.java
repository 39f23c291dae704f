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
 * A relay in this process: delivers what applications have stored, alone or together with other relays of the same
 * table. It recovers from restarts of the database, of destinations and of other nodes without help.
 *
 * <p>One thread sends heartbeats, one assigns partitions, one peeks, one listens where the store notifies of commits, and a
 * few run the partitions. No exception ends any of them.
 */
public final class Relay implements AutoCloseable {

    /** The part of a relay that beats, as failures name it. */
    public static final String HEARTBEATING = NodeThreads.HEARTBEAT;

    private final RelayNode node;
    private final RelayContext around;
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
        this.around = new RelayContext(builder.config, router, gates, time, listener, Pacing.MEASURED);
        this.loops = new LoopExecutor(builder.workers, time, Pacing.MEASURED);
        this.node = new RelayNode(builder.stores, around, Ulids.SYSTEM::next, loops);
        this.channel = builder.channel;
        this.sender = channel == null ? null : new WakeUpSender(channel, node.wakeUps()::wakeLane);
        this.purger = builder.retentionStore == null
                ? null
                : new RetentionPurger(builder.retentionStore, builder.retention, time);
        this.threads = new NodeThreads(node, around, new WarmUp(builder.stores.partitions(), around), channel);
    }

    /** A relay on these stores, with defaults for everything else. */
    public static RelayBuilder on(RelayStores stores, RelayConfig config) {
        return new RelayBuilder(stores, config);
    }

    private void checkSoon(RelayEvent event) {
        threads.checkSoon(event);
    }

    /**
     * Joins the cluster and begins to work.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when the table is worked on other terms
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

    /** What an application in this process publishes with, so that its commits wake the relay at once. */
    public HotPath hotPath() {
        return sender != null ? sender : new LocalWakeUp(node.wakeUps());
    }

    /**
     * Replaces the routes while the relay works. Calls in flight are not affected; everything that waits takes the new
     * routes, and so do events that had none. Nothing is lost, and no key loses its order.
     *
     * @throws IllegalArgumentException when a route leads to a destination that this relay does not have; the routes
     *     stay as they were
     */
    public synchronized void reroute(Router next) {
        around.gates().require(next);
        router.replace(next);
        node.rerouted();
    }

    /**
     * Adds a destination while the relay works, or replaces the one of that name: calls in flight end where
     * they began, and then the former destination is closed. It is used from the next assignment on, within a heartbeat,
     * unless it is paused.
     */
    public synchronized void destination(String name, Destination destination, DestinationConfig treatment) {
        DestinationGate gate = new DestinationGate(name, destination, treatment, around.time(), around.listener());
        gate.pause(); // Until the assignment has checked what is paused.
        Optional<DestinationGate> former = around.gates().put(gate);
        former.ifPresent(this::retire);
        around.listener()
                .on(new RelayEvent.DestinationChanged(name, former.isPresent() ? Change.REPLACED : Change.ADDED));
    }

    /**
     * Removes a destination that no route leads to any more; it is closed when its calls have ended.
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
        DestinationGate former = around.gates()
                .remove(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no destination " + name
                        + " to remove, the destinations are " + around.gates().names()));
        retire(former);
        around.listener().on(new RelayEvent.DestinationChanged(name, Change.REMOVED));
    }

    // On a thread of its own: the last answer may come on one of the destination's, which must not wait for itself.
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
     * Pauses what this node's configuration names, each with a reason, in addition to what operators have paused in the
     * store; replaces what it has named before. Takes effect within a heartbeat.
     */
    public void pause(Map<Pause.Subject, String> reasons) {
        node.pause(reasons);
    }

    /**
     * Sends stored events to a destination once more, within its limits, and leaves their rows alone. Those of a key
     * arrive in the order given, as long as nothing else of that key is being delivered. Waits for the answers, and
     * ends with the first event that is not acknowledged or when the time is over.
     *
     * @throws java.util.NoSuchElementException when there is no such destination
     */
    public ResendResult resend(List<OutboxEvent> events, String destination, Duration atMost)
            throws InterruptedException {
        DestinationGate gate = around.gates()
                .find(destination)
                .orElseThrow(() -> new NoSuchElementException("there is no destination " + destination
                        + ", the destinations are " + around.gates().names()));
        return new Resender(gate, router, around.time()).send(events, atMost);
    }

    /** The router that is used now. */
    public Router router() {
        return router;
    }

    /** What this relay knows of itself, its destinations and its cluster now. Any thread. */
    public RelayStatus status() {
        Map<String, DestinationStatus> destinations = new LinkedHashMap<>();
        around.gates().all().forEach(gate -> destinations.put(gate.name(), gate.status()));
        return new RelayStatus(
                around.time().instant(),
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
        return around.gates();
    }

    public RelayMetrics metrics() {
        return metrics;
    }

    /**
     * The names of this relay's threads that have ended although it is open: without them it does not do what it should,
     * and only a new process helps. Empty unless something is badly wrong. Any thread.
     */
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
     * Finishes what is in flight, within the drain timeout, hands over the partitions, leaves the cluster, and closes the
     * destinations.
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
        around.gates().all().forEach(gate -> attempt("close destination " + gate.name(), gate.destination()::close));
        retired.forEach(this::closeRetired);
    }

    private void attempt(String what, Runnable action) {
        threads.attempt(what, action);
    }
}
