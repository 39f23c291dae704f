package outbox.relay.internal.node;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
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
import outbox.relay.internal.loop.DeliveryLoop;
import outbox.relay.internal.loop.LoopScheduler;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.node.OwnedPartitions.Running;
import outbox.relay.internal.node.PartitionAssignment.ClusterSnapshot;
import outbox.relay.observe.RelayEvent;
import outbox.relay.route.Route;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Member;
import outbox.spi.relay.Pause;
import outbox.spi.relay.RelayStores;
import outbox.spi.relay.WakeUp;
import outbox.spi.relay.WakeUpChannel;

/**
 * One node of a relay without threads: every loop is a method that does one turn and says how long to rest. Production
 * repeats them, each in a thread of its own; tests and the simulator call them.
 *
 * <p>The beat prolongs the node's life and shows the cluster. The assignment gives up and takes slots by what the beat
 * showed. The poll looks at all slots in one statement. Each slot has turns of its own, given by {@link LoopScheduler}.
 */
public final class RelayNode {

    private final RelayStores stores;
    private final RelayContext relay;
    private final Supplier<String> ids;
    private final Membership membership;
    private final OwnedPartitions running;
    private final PartitionAssignment assignment;
    private final Fetcher fetcher;

    private final ClusterWatch watch;
    private final Departure departure;
    private volatile boolean commitsNotified; // written by whoever listens
    private volatile boolean ready; // written by whoever prepares this node
    private volatile Wakers wakers = new Wakers(() -> {}, () -> {}); // written before the loops begin

    /**
     * A node that has not joined yet.
     *
     * @param ids gives a new id each time, for sessions and tokens of claims
     */
    public RelayNode(RelayStores stores, RelayContext relay, Supplier<String> ids, LoopScheduler scheduler) {
        this.stores = stores;
        this.relay = relay;
        this.ids = ids;
        RelayConfig config = relay.config();
        this.membership =
                new Membership(stores.cluster(), config.cluster(), config.terms(), relay.time(), this::newMember);
        this.fetcher = new Fetcher(
                stores.partitions(),
                relay.router(),
                relay.time(),
                relay.listener(),
                relay.pacing(),
                config.claim().pollMax());
        this.watch = new ClusterWatch(stores.cluster(), relay);
        this.departure = new Departure(relay.time(), config.cluster().heartbeat());
        this.running = new OwnedPartitions(
                relay, scheduler, new StoreClock(stores.claims()::now, relay.time()), this::wakeAssignment);
        this.assignment = new PartitionAssignment(stores, fetcher, relay, membership, running, ids);
    }

    private Member newMember() {
        ClusterConfig cluster = relay.config().cluster();
        String version = Optional.ofNullable(RelayNode.class.getPackage().getImplementationVersion())
                .orElse("");
        return new Member(ids.get(), cluster.nodeId(), cluster.weight(), version, "");
    }

    // ---- the loops -----------------------------------------------------------------------------------------------

    /**
     * Registers this node. Called once before the loops begin, so that wrong settings are told at once.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when the table is worked on other terms
     */
    public void join() {
        String session = membership.join();
        relay.listener().on(new RelayEvent.Joined(nodeId(), session));
    }

    /** What ends the rests of the loops that are waited for while slots move. */
    public record Wakers(Runnable heartbeat, Runnable assignment) {}

    /** Has these called when a loop has something to do before its rest is over. Called once before the loops begin. */
    public void wakers(Wakers whenDue) {
        wakers = whenDue;
    }

    private void wakeAssignment() {
        wakers.assignment().run();
    }

    /** Says that this node is ready for slots: until then it is given none. Any thread. */
    public void prepared() {
        ready = true;
        wakers.heartbeat().run();
    }

    /** One beat. A node whose time was over begins anew as another session. */
    public Duration heartbeatOnce() {
        if (membership.session() == null) {
            if (departure.isBegun()) {
                return relay.config().cluster().heartbeat(); // It has left, or has nothing to come back for.
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
        relay.listener().on(new RelayEvent.Beaten(took, view.get().members().size()));
        assignment.resumeDeliveries();
        if (watch.endDisconnected(now.view())) {
            return Duration.ZERO; // The next one shows the cluster without them.
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
                && before.view().slots().equals(view.slots())
                && now.isCalm();
        if (!calm || assignment.isMoving()) {
            wakeAssignment();
        }
        return now;
    }

    /** Gives up what is not to be this node's, releases what is drained, and takes what is free and to be its own. */
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
            wakers.heartbeat().run(); // It shows when slots have become free.
        }
        return rest;
    }

    /** One look at all slots of this node, in one statement. */
    public Duration peekOnce() {
        return fetcher.peek(running.loops(), commitsNotified);
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

    // ---- wake-ups ------------------------------------------------------------------------------------------------

    /** Waits for word of commits and looks for what is new; in a flow of events it rests, and looks without any. */
    public void listenOnce(WakeUpChannel from) throws InterruptedException {
        try {
            Duration rest = fetcher.untilPrefetch();
            List<WakeUp> notified = rest.isZero() ? from.receive(relay.pacing().listen()) : receive(from, rest);
            commitsNotified(true);
            Runnable handOver = rest.isZero() ? prefetch(notified) : prefetchAll(notified);
            handOver.run();
        } catch (RuntimeException e) {
            commitsNotified(false);
            throw e;
        }
    }

    // Words are taken all the same, or they would fill the line; but they do not shorten the rest.
    private List<WakeUp> receive(WakeUpChannel from, Duration rest) throws InterruptedException {
        List<WakeUp> notified = new ArrayList<>();
        long until = relay.time().nanoTime() + rest.toNanos();
        // Channels wait for a millisecond at least, which is too long for less than half of one.
        Duration least = relay.pacing().prefetchMin().dividedBy(2);
        for (Duration left = rest; left.compareTo(least) > 0; ) {
            notified.addAll(from.receive(left));
            left = Duration.ofNanos(until - relay.time().nanoTime());
        }
        return notified;
    }

    /** Says whether commits elsewhere are told of by a channel, so that the poll need not be frequent. */
    public void commitsNotified(boolean notified) {
        commitsNotified = notified;
    }

    /** Lets the slots of these lanes look for what is new, as far as they are this node's; may look for several. */
    public void wake(WakeUp wakeUp) {
        prefetch(List.of(wakeUp)).run();
    }

    /**
     * The same in two steps, between which anything may happen: looks for several slots at once, and returns what hands
     * them what was seen, and has to be run.
     */
    public Runnable prefetch(List<WakeUp> wakeUps) {
        return fetcher.prefetch(notified(wakeUps), List.of());
    }

    /** As {@link #prefetch}, and looks for the other slots as well, as far as they let others look for them. */
    public Runnable prefetchAll(List<WakeUp> wakeUps) {
        return fetcher.prefetch(notified(wakeUps), running.loops());
    }

    private Set<DeliveryLoop> notified(List<WakeUp> wakeUps) {
        Set<DeliveryLoop> woken = new LinkedHashSet<>();
        if (wakeUps.contains(WakeUp.ANY)) {
            running.all().forEach(each -> woken.add(each.loop()));
        }
        for (WakeUp wakeUp : wakeUps) {
            for (int lane : wakeUp.lanes()) {
                Running each = running.owning(lane);
                if (each != null) {
                    woken.add(each.loop());
                }
            }
        }
        return woken;
    }

    /** Wakes the slot of a lane; false when it is not this node's. Any thread. */
    public boolean wakeLane(int lane) {
        Running each = running.owning(lane);
        if (each != null) {
            each.loop().wake();
        }
        return each != null && each.loop().isWorking();
    }

    /** Tells every slot that the router gives other answers now. Any thread. */
    public void rerouted() {
        running.all().forEach(each -> each.loop().rerouted());
        relay.listener()
                .on(new RelayEvent.Rerouted(
                        relay.router().routes().stream().map(Route::id).toList()));
    }

    /**
     * Pauses what this node's own configuration says, beside what is on hold in the store, from the next assignment on.
     * Replaces what was paused so before. Any thread.
     */
    public void pause(Map<Pause.Subject, String> reasons) {
        Instant since = relay.time().instant();
        assignment.pause(reasons.entrySet().stream()
                .map(each -> new Pause(each.getKey(), each.getValue(), "configuration of " + nodeId(), since))
                .toList());
    }

    // ---- stop, and looks inside ------------------------------------------------------------------------------------

    /** Begins to give up everything; {@link #assignOnce} carries it out. */
    public void stop() {
        departure.begin();
        wakers.heartbeat().run();
    }

    public boolean isStopped() {
        return departure.isBegun() && running.isEmpty();
    }

    /** Ends the membership, which frees whatever was not released. */
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

    /** The slots that this node works on. */
    public Set<Integer> partitions() {
        return running.numbers();
    }

    /** The slots of this node from which nothing new is read, because too many of their lanes wait. */
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

    /** What the last beat showed; empty while this node is no member. */
    public Optional<ClusterView> view() {
        ClusterSnapshot now = watch.snapshot();
        return now == null ? Optional.empty() : Optional.of(now.view());
    }

    /** What is on hold for this node: what its configuration has paused, and what operators have. */
    public List<Pause> pauses() {
        return assignment.pauses();
    }

    private String nodeId() {
        return relay.config().cluster().nodeId();
    }
}
