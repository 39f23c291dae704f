package outbox.relay.internal.node;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import outbox.dispatch.StoreClock;
import outbox.relay.ClusterConfig;
import outbox.relay.RelayConfig;
import outbox.relay.internal.claim.Fetcher;
import outbox.relay.internal.claim.Peeker;
import outbox.relay.internal.loop.LoopScheduler;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.observe.RelayEvent;
import outbox.relay.route.Route;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Member;
import outbox.spi.relay.Pause;
import outbox.spi.relay.RelayStores;

/**
 * One node of a relay without threads: every loop is a method that runs one iteration and returns how long to rest.
 * Production repeats each in its own thread; tests and the simulator call them.
 *
 * <p>The heartbeat renews this node's lease and shows the cluster. The assignment releases and acquires partitions by what
 * the heartbeat showed. The peek checks all partitions in one statement. {@link LoopScheduler} runs a loop for each
 * partition.
 */
public final class RelayNode {

    private final RelayStores stores;
    private final RelayContext relay;
    private final Supplier<String> ids;
    private final Membership membership;
    private final OwnedPartitions running;
    private final PartitionAssignment assignment;
    private final Peeker peeker;
    private final PauseLoader pauses;
    private final WakeUpHandler wakeUps;

    private final ClusterWatch watch;
    private final Departure departure;
    private volatile boolean ready; // written by the thread that prepares this node
    private volatile Wakers wakers = new Wakers(() -> {}, () -> {}); // written before the loops begin

    /** @param ids gives a new id each time, for sessions and tokens of claims */
    public RelayNode(RelayStores stores, RelayContext relay, Supplier<String> ids, LoopScheduler scheduler) {
        this.stores = stores;
        this.relay = relay;
        this.ids = ids;
        RelayConfig config = relay.config();
        this.membership =
                new Membership(stores.cluster(), config.cluster(), config.terms(), relay.time(), this::newMember);
        Fetcher fetcher =
                new Fetcher(stores.partitions(), relay.router(), relay.time(), relay.listener(), relay.pacing());
        this.peeker = new Peeker(
                stores.partitions(),
                relay.time(),
                relay.pacing(),
                config.claim().pollMax());
        this.watch = new ClusterWatch(stores.cluster(), relay);
        this.departure = new Departure(relay.time(), config.cluster().heartbeat());
        this.running = new OwnedPartitions(
                relay, scheduler, new StoreClock(stores.claims()::now, relay.time()), this::wakeAssignment);
        this.pauses = new PauseLoader(stores.cluster(), relay, running);
        this.assignment = new PartitionAssignment(stores, fetcher, relay, membership, running, pauses, ids);
        this.wakeUps = new WakeUpHandler(fetcher, running, relay.time(), relay.pacing());
    }

    private Member newMember() {
        ClusterConfig cluster = relay.config().cluster();
        String version = Optional.ofNullable(RelayNode.class.getPackage().getImplementationVersion())
                .orElse("");
        return new Member(ids.get(), cluster.nodeId(), cluster.weight(), version, "");
    }

    // ---- the loops -----------------------------------------------------------------------------------------------

    /**
     * Registers this node. Called once before the loops begin, so that wrong settings are reported at once.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when the table has another layout
     */
    public void join() {
        String session = membership.join();
        relay.listener().on(new RelayEvent.Joined(nodeId(), session));
    }

    /** End the rests of the loops that other nodes wait for while partitions move. */
    public record Wakers(Runnable heartbeat, Runnable assignment) {}

    /** Sets what is run when a loop has something to do before its rest is over. Called once before the loops begin. */
    public void wakers(Wakers whenDue) {
        wakers = whenDue;
    }

    private void wakeAssignment() {
        wakers.assignment().run();
    }

    /** This node is ready for partitions: until then it is given none. Any thread. */
    public void prepared() {
        ready = true;
        wakers.heartbeat().run();
    }

    /** One heartbeat. A node whose lease was over joins again as another session. */
    public Duration heartbeatOnce() {
        if (membership.session() == null) {
            if (departure.isBegun()) {
                return relay.config().cluster().heartbeat(); // It has left, or has nothing to return for.
            }
            join();
        }
        String session = membership.session();
        long begun = relay.time().nanoTime();
        boolean leaving = departure.isBegun();
        Optional<ClusterView> view = heartbeat(ready && !leaving);
        if (view.isEmpty() || session == null) {
            watch.lost();
            relay.listener().on(new RelayEvent.Left(nodeId(), "its heartbeats came too late"));
            return Duration.ZERO;
        }
        Duration took = Duration.ofNanos(relay.time().nanoTime() - begun);
        ClusterSnapshot now = update(session, view.get());
        if (leaving) {
            departure.update(now.view(), membership.session(), begun);
            wakeAssignment();
        }
        relay.listener()
                .on(new RelayEvent.HeartbeatSent(took, view.get().members().size()));
        assignment.resumeDeliveries();
        if (watch.endDisconnected(now.view())) {
            return Duration.ZERO; // The next heartbeat shows the cluster without them.
        }
        Duration rest = watch.untilNextHeartbeat(now, assignment.isMoving() || departure.isBegun())
                .minus(took);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    private Optional<ClusterView> heartbeat(boolean ready) {
        try {
            return membership.heartbeat(ready);
        } catch (RuntimeException e) {
            watch.forgetDisconnections();
            throw e;
        }
    }

    private ClusterSnapshot update(String session, ClusterView view) {
        ClusterSnapshot before = watch.snapshot();
        ClusterSnapshot now = watch.update(session, view);
        boolean calm = before != null
                && now.stableHeartbeats() > 1
                && before.view().partitions().equals(view.partitions())
                && now.isCalm();
        if (!calm || assignment.isMoving()) {
            wakeAssignment();
        }
        return now;
    }

    /** Revokes, releases and acquires partitions. */
    public Duration assignOnce() {
        ClusterSnapshot now = watch.snapshot();
        assignment.releaseEnded();
        if (now == null || !membership.isHeld(now.session())) {
            return relay.config().cluster().heartbeat().dividedBy(10);
        }
        if (departure.mustWait()) {
            return relay.config().cluster().heartbeat().dividedBy(10);
        }
        boolean wasMoving = assignment.isMoving();
        Duration rest = assignment.runOnce(now, departure.isBegun());
        if (assignment.isMoving() && !wasMoving) {
            wakers.heartbeat().run(); // It shows when partitions have become free.
        }
        return rest;
    }

    /** Peeks at all partitions of this node, in one statement. */
    public Duration peekOnce() {
        return peeker.peek(running.loops(), wakeUps.commitsNotified());
    }

    /** Removes nodes from the registry that have long expired. */
    public Duration upkeepOnce() {
        Duration timeout = relay.config().cluster().timeout();
        List<String> forgotten = stores.cluster().forgetExpired(timeout);
        if (!forgotten.isEmpty()) {
            relay.listener().on(new RelayEvent.NodesForgotten(forgotten));
        }
        return timeout;
    }

    /** Handles wake-ups of commits. */
    public WakeUpHandler wakeUps() {
        return wakeUps;
    }

    /** The routes have changed. Any thread. */
    public void rerouted() {
        running.all().forEach(each -> each.loop().rerouted());
        relay.listener()
                .on(new RelayEvent.Rerouted(
                        relay.router().routes().stream().map(Route::id).toList()));
    }

    /**
     * Pauses what this node's own configuration names, in addition to what is paused in the store, from the next assignment
     * on. Replaces what it has named before. Any thread.
     */
    public void pause(Map<Pause.Subject, String> reasons) {
        Instant since = relay.time().instant();
        pauses.pause(reasons.entrySet().stream()
                .map(each -> new Pause(each.getKey(), each.getValue(), "configuration of " + nodeId(), since))
                .toList());
    }

    // ---- stop and status -----------------------------------------------------------------------------------------

    /** Begins to release everything; {@link #assignOnce} carries it out. */
    public void stop() {
        departure.begin();
        wakers.heartbeat().run();
    }

    public boolean isStopped() {
        return departure.isBegun() && running.isEmpty();
    }

    /** Ends the membership, which frees all partitions that were not released. */
    public void leave() {
        if (membership.session() != null) {
            membership.leave();
            relay.listener().on(new RelayEvent.Left(nodeId(), "it was stopped"));
        }
    }

    /** Whether this node surely is a member: false as soon as its lease may be over. */
    public boolean isMember() {
        String session = membership.session();
        return session != null && membership.isHeld(session);
    }

    /** The partitions that this node works on. */
    public Set<Integer> partitions() {
        return running.numbers();
    }

    /** The partitions from which nothing new is fetched, because too many of their lanes wait. */
    public List<RelayEvent.LanesFull> fullPartitions() {
        return running.all().stream()
                .flatMap(each -> Stream.ofNullable(each.loop().full()))
                .toList();
    }

    public int eventsInMemory() {
        return running.all().stream()
                .mapToInt(each -> each.loop().eventsInMemory())
                .sum();
    }

    /** What the last heartbeat showed; empty while this node is no member. */
    public Optional<ClusterView> view() {
        ClusterSnapshot now = watch.snapshot();
        return now == null ? Optional.empty() : Optional.of(now.view());
    }

    /** What its configuration and operators have paused. */
    public List<Pause> pauses() {
        return List.copyOf(pauses.pauses().bySubject().values());
    }

    private String nodeId() {
        return relay.config().cluster().nodeId();
    }
}
