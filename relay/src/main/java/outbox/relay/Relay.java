package outbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.PoolTooSmallException;
import outbox.internal.ErrorText;
import outbox.internal.SupervisedLoop;
import outbox.internal.Ulids;
import outbox.model.OutboxEvent;
import outbox.registry.ListenerDestination;
import outbox.registry.ListenerRegistry;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.deliver.DestinationGates;
import outbox.relay.internal.deliver.Resender;
import outbox.relay.internal.loop.LoopExecutor;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.node.LocalWakeUp;
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
import outbox.retention.RetentionConfig;
import outbox.retention.RetentionPurger;
import outbox.spi.Destination;
import outbox.spi.HotPath;
import outbox.spi.RetentionStore;
import outbox.spi.TimeSource;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.Pause;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUpChannel;

/**
 * A relay in this process: delivers what applications have stored, alone or together with other relays of the same
 * table. Restarts of the database, of destinations and of other nodes need nobody's help.
 *
 * <p>One thread beats, one assigns slots, one polls, one listens where the store can tell of commits, and a few give
 * turns to the slots. No exception ends any of them.
 */
public final class Relay implements AutoCloseable {

    /** The part of a relay that beats, as failures name it. */
    public static final String BEATING = "outbox-relay-beat";

    private static final Duration FAILURE_REST = Duration.ofMillis(500);
    private static final Duration STOP_WAIT = Duration.ofSeconds(5);
    private static final long HAND_OVER_PAUSE_MILLIS = 10;
    /** How long connecting to an unavailable destination may take, and how often it is seen whether that is due. */
    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration CHECK_INTERVAL = Duration.ofMillis(250);

    private final RelayNode node;
    private final PartitionStore store;
    private final RelayContext around;
    private final ReplaceableRouter router;
    private final LoopExecutor turns;
    private final RelayMetrics metrics;
    private final @Nullable WakeUpChannel channel;
    private final @Nullable WakeUpSender sender;
    private final @Nullable RetentionPurger purger;
    private final List<SupervisedLoop> loops = new ArrayList<>();
    private final SupervisedLoop assigning;
    private final SupervisedLoop checking;
    /** Destinations that were replaced or removed and still have calls under way. */
    private final Set<DestinationGate> retired = ConcurrentHashMap.newKeySet();

    private Relay(Builder builder) {
        this.metrics = new RelayMetrics();
        List<RelayListener> listeners = new ArrayList<>(List.of(new RelayLog(builder.time), metrics, this::checkSoon));
        listeners.addAll(builder.listeners);
        RelayListener listener = new RelayListeners(listeners);
        TimeSource time = builder.time;
        Map<String, DestinationGate> gates = new LinkedHashMap<>();
        builder.destinations.forEach((name, target) ->
                gates.put(name, new DestinationGate(name, target.destination(), target.config(), time, listener)));
        this.router = new ReplaceableRouter(builder.router());
        this.around = new RelayContext(builder.config, router, gates, time, listener);
        this.store = builder.stores.partitions();
        this.turns = new LoopExecutor(builder.workers, time);
        this.node = new RelayNode(builder.stores, around, Ulids.SYSTEM::next, turns);
        this.channel = builder.channel;
        this.sender = channel == null ? null : new WakeUpSender(channel, node::wakeLane);
        this.purger = builder.retentionStore == null
                ? null
                : new RetentionPurger(builder.retentionStore, builder.retention, time);
        SupervisedLoop beating = loop(BEATING, node::beatOnce);
        this.assigning = loop("outbox-relay-assign", node::assignOnce);
        node.wakers(new RelayNode.Wakers(beating::wake, assigning::wake));
        loop("outbox-relay-poll", node::pollOnce);
        loop("outbox-relay-upkeep", node::upkeepOnce);
        this.checking = loop("outbox-relay-check", this::checkConnections);
        if (channel != null) {
            loop("outbox-relay-listen", () -> listen(channel));
        }
    }

    /** A relay on these stores, with defaults for everything else. */
    public static Builder on(RelayStores stores, RelayConfig config) {
        return new Builder(stores, config);
    }

    /** One turn of a loop of this relay; returns how long to rest. */
    @FunctionalInterface
    private interface Turn {
        Duration runOnce() throws InterruptedException;
    }

    private SupervisedLoop loop(String name, Turn turn) {
        SupervisedLoop[] self = new SupervisedLoop[1];
        SupervisedLoop loop = new SupervisedLoop(name, () -> {
            Objects.requireNonNull(self[0]).rest(rested(name, turn));
            return true;
        });
        self[0] = loop;
        loops.add(loop);
        return loop;
    }

    // Perhaps a single connection of several was broken: then the others wait for nothing but this check.
    private void checkSoon(RelayEvent event) {
        if (event instanceof RelayEvent.BreakerChanged changed
                && changed.state() == RelayEvent.BreakerChanged.State.OPEN) {
            checking.wake();
        }
    }

    // Each on a thread of its own: a connection that hangs must not delay the check of another.
    private Duration checkConnections() {
        around.gates()
                .checkOnce(
                        check -> Thread.ofVirtual().name("outbox-relay-check").start(check), CHECK_TIMEOUT);
        return CHECK_INTERVAL;
    }

    // Told as an event, like everything else that happens; and soon tried again, since a beat cannot wait for long.
    private Duration rested(String name, Turn turn) throws InterruptedException {
        try {
            return turn.runOnce();
        } catch (RuntimeException e) {
            around.listener().on(new RelayEvent.PartFailed(name, ErrorText.of(e), e));
            return FAILURE_REST;
        }
    }

    private Duration listen(WakeUpChannel from) throws InterruptedException {
        node.listenOnce(from);
        return Duration.ZERO;
    }

    /**
     * Joins the cluster and begins to work.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when the table is worked on other terms
     */
    public Relay start() {
        node.join();
        turns.start();
        loops.forEach(SupervisedLoop::start);
        Thread.ofVirtual().name("outbox-relay-prepare").start(this::prepare);
        if (sender != null) {
            sender.start();
        }
        if (purger != null) {
            purger.start();
        }
        return this;
    }

    // Beside the loops, so that the node is seen, and others need not guess how long it takes.
    private void prepare() {
        Duration took = new WarmUp(store, around).run();
        around.listener().on(new RelayEvent.Prepared(took));
        node.prepared();
    }

    /** What an application in this process publishes with, so that its commits wake the relay at once. */
    public HotPath hotPath() {
        return sender != null ? sender : new LocalWakeUp(node);
    }

    /**
     * Replaces the routes while the relay works. What is under way ends as it began, and then its key goes the new way;
     * what waits takes the new way, and so do events that had none. Nothing is lost, and no key loses its order.
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
     * Adds a destination while the relay works, or replaces the one of that name: calls that are under way end where
     * they began, and then the former destination is closed. It is used from the next assignment on, within a heartbeat,
     * unless it is on hold.
     */
    public synchronized void destination(String name, Destination destination, DestinationConfig treatment) {
        DestinationGate gate = new DestinationGate(name, destination, treatment, around.time(), around.listener());
        gate.pause(); // Until the assignment has looked at what is on hold.
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
     * Pauses what this node's configuration says, each with a reason, beside what operators have put on hold in the
     * store; replaces what was paused so before. Followed within a heartbeat.
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

    /** Chooses the way of events, as it is now. */
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
                node.slots(),
                node.view().orElse(null),
                node.holds(),
                node.fullSlots(),
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
        return Stream.concat(loops.stream(), turns.threads().stream());
    }

    /** For tests. */
    RelayNode node() {
        return node;
    }

    /**
     * Finishes what is under way, within the time to drain, hands over the slots, leaves the cluster, and closes the
     * destinations.
     */
    @Override
    public void close() {
        node.stop();
        try {
            awaitHandOver();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        loops.forEach(SupervisedLoop::interrupt);
        turns.close();
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

    private void awaitHandOver() throws InterruptedException {
        // Carried out here from now on, and faster than the assignment's own loop would.
        assigning.stop();
        assigning.join(STOP_WAIT);
        CountDownLatch pause = new CountDownLatch(1);
        long until = around.time().nanoTime()
                + around.config().cluster().drain().plus(STOP_WAIT).toNanos();
        boolean worked;
        do {
            worked = attempt("hand over the slots", node::assignOnce);
        } while (!node.isStopped()
                && until - around.time().nanoTime() > 0
                && !pause.await(worked ? HAND_OVER_PAUSE_MILLIS : FAILURE_REST.toMillis(), TimeUnit.MILLISECONDS));
    }

    private boolean attempt(String what, Runnable action) {
        try {
            action.run();
            return true;
        } catch (RuntimeException e) {
            around.listener().on(new RelayEvent.PartFailed("the attempt to " + what, ErrorText.of(e), e));
            return false;
        }
    }

    /** Puts a relay together. */
    public static final class Builder {

        public static final int WORKERS_DEFAULT = 4;

        /** The name of the destination that {@link #listeners} adds. */
        public static final String LISTENERS = "listeners";

        private static final int LISTENER_MINUTES_MAX = 10;

        /** For heartbeats, assignment, poll and upkeep. */
        private static final int OWN_CONNECTIONS = 4;

        /** The looks of who listens. */
        private static final int LISTENERS_CONNECTIONS = 1;

        private final RelayStores stores;
        private final RelayConfig config;
        private final Map<String, Target> destinations = new LinkedHashMap<>();
        private final List<RelayListener> listeners = new ArrayList<>();
        private @Nullable Router router;
        private @Nullable WakeUpChannel channel;
        private @Nullable RetentionStore retentionStore;
        private RetentionConfig retention = RetentionConfig.defaults();
        private TimeSource time = TimeSource.SYSTEM;
        private int workers = WORKERS_DEFAULT;

        private record Target(Destination destination, DestinationConfig config) {}

        private Builder(RelayStores stores, RelayConfig config) {
            this.stores = stores;
            this.config = config;
        }

        public Builder destination(String name, Destination destination) {
            return destination(name, destination, DestinationConfig.defaults());
        }

        public Builder destination(String name, Destination destination, DestinationConfig treatment) {
            if (destinations.putIfAbsent(name, new Target(destination, treatment)) != null) {
                throw new IllegalArgumentException("there are two destinations named " + name);
            }
            return this;
        }

        /**
         * Calls these listeners, in order per key, as a destination named {@code listeners}. A listener may take
         * {@value #LISTENER_MINUTES_MAX} minutes. For other limits, add a {@link ListenerDestination} of your own.
         */
        public Builder listeners(ListenerRegistry registry) {
            return destination(
                    LISTENERS,
                    new ListenerDestination(registry),
                    DestinationConfig.defaults().withDeadline(Duration.ofMinutes(LISTENER_MINUTES_MAX)));
        }

        /** Chooses between destinations; not needed when there is only one. */
        public Builder router(Router chooser) {
            this.router = chooser;
            return this;
        }

        /** Carries wake-ups between processes, where the store has such a thing. */
        public Builder channel(WakeUpChannel wakeUps) {
            this.channel = wakeUps;
            return this;
        }

        /** Removes old done events. */
        public Builder retention(RetentionStore store, RetentionConfig settings) {
            this.retentionStore = store;
            this.retention = settings;
            return this;
        }

        public Builder listener(RelayListener listener) {
            listeners.add(listener);
            return this;
        }

        /** How many slots have their turn at once, each with a connection; default 4. */
        public Builder workers(int count) {
            if (count < 1 || count > 256) {
                throw new IllegalArgumentException("workers must be from 1 to 256, was " + count);
            }
            this.workers = count;
            return this;
        }

        public Builder time(TimeSource clocks) {
            this.time = clocks;
            return this;
        }

        private Router router() {
            if (router != null) {
                return router;
            }
            if (destinations.size() != 1) {
                throw new IllegalArgumentException(
                        "with " + destinations.size() + " destinations a router has to choose between them");
            }
            return Router.everythingTo(destinations.keySet().iterator().next());
        }

        /**
         * A relay that has not started yet.
         *
         * @throws PoolTooSmallException when the connection pool is too small for the workers
         */
        public Relay build() {
            int own = OWN_CONNECTIONS + (channel == null ? 0 : LISTENERS_CONNECTIONS);
            OptionalInt connections = stores.claims().connectionsMax();
            if (connections.isPresent() && connections.getAsInt() < workers + own) {
                throw new PoolTooSmallException(connections.getAsInt(), workers, own);
            }
            return new Relay(this);
        }
    }
}
