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
import outbox.relay.internal.node.PartitionAssignment.Seen;
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
    private final RelayContext around;
    private final Supplier<String> ids;
    private final Membership membership;
    private final OwnedPartitions running;
    private final PartitionAssignment assignment;
    private final Fetcher fetcher;

    private final ClusterWatch watch;
    private final Departure departure;
    private volatile boolean toldOfCommits; // written by whoever listens
    private volatile boolean ready; // written by whoever prepares this node
    private volatile Wakers wakers = new Wakers(() -> {}, () -> {}); // written before the loops begin

    /**
     * A node that has not joined yet.
     *
     * @param ids gives a new id each time, for sessions and tokens of claims
     */
    public RelayNode(RelayStores stores, RelayContext around, Supplier<String> ids, LoopScheduler turns) {
        this.stores = stores;
        this.around = around;
        this.ids = ids;
        RelayConfig config = around.config();
        this.membership =
                new Membership(stores.cluster(), config.cluster(), config.terms(), around.time(), this::newMember);
        this.fetcher = new Fetcher(
                stores.partitions(),
                around.router(),
                around.time(),
                around.listener(),
                around.pacing(),
                config.claim().pollMax());
        this.watch = new ClusterWatch(stores.cluster(), around);
        this.departure = new Departure(around.time(), config.cluster().heartbeat());
        this.running = new OwnedPartitions(
                around, turns, new StoreClock(stores.claims()::now, around.time()), this::wakeAssignment);
        this.assignment = new PartitionAssignment(stores, fetcher, around, membership, running, ids);
    }

    private Member newMember() {
        ClusterConfig cluster = around.config().cluster();
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
        around.listener().on(new RelayEvent.Joined(nodeId(), session));
    }

    /** What ends the rests of the loops that are waited for while slots move. */
    public record Wakers(Runnable beat, Runnable assignment) {}

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
        wakers.beat().run();
    }

    /** One beat. A node whose time was over begins anew as another session. */
    public Duration beatOnce() {
        if (membership.session() == null) {
            if (departure.isBegun()) {
                return around.config().cluster().heartbeat(); // It has left, or has nothing to come back for.
            }
            join();
        }
        String session = membership.session();
        long begun = around.time().nanoTime();
        boolean leaving = departure.isBegun();
        Optional<ClusterView> view = beat(ready && !leaving);
        if (view.isEmpty() || session == null) {
            watch.lost();
            around.listener().on(new RelayEvent.Left(nodeId(), "its heartbeats came too late"));
            return Duration.ZERO;
        }
        Duration took = Duration.ofNanos(around.time().nanoTime() - begun);
        Seen now = see(session, view.get());
        if (leaving) {
            departure.seen(now.view(), membership.session(), begun);
            wakeAssignment();
        }
        around.listener()
                .on(new RelayEvent.HeartbeatSent(took, view.get().members().size()));
        assignment.resumeDeliveries();
        if (watch.endDisconnected(now.view())) {
            return Duration.ZERO; // The next one shows the cluster without them.
        }
        Duration rest = watch.untilNextBeat(now, assignment.isMoving() || departure.isBegun())
                .minus(took);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    private Optional<ClusterView> beat(boolean ready) {
        try {
            return membership.beat(ready);
        } catch (RuntimeException e) {
            watch.forgetDisconnections();
            throw e;
        }
    }

    private Seen see(String session, ClusterView view) {
        Seen before = watch.seen();
        Seen now = watch.see(session, view);
        boolean calm = before != null
                && now.stableBeats() > 1
                && before.view().partitions().equals(view.partitions())
                && now.isCalm();
        if (!calm || assignment.isMoving()) {
            wakeAssignment();
        }
        return now;
    }

    /** Gives up what is not to be this node's, releases what is drained, and takes what is free and to be its own. */
    public Duration assignOnce() {
        Seen now = watch.seen();
        assignment.releaseEnded();
        if (now == null || !membership.isHeld(now.session())) {
            return around.config().cluster().heartbeat().dividedBy(10);
        }
        if (departure.isToWait()) {
            return around.config().cluster().heartbeat().dividedBy(10);
        }
        boolean wasMoving = assignment.isMoving();
        Duration rest = assignment.runOnce(now, departure.isBegun());
        if (assignment.isMoving() && !wasMoving) {
            wakers.beat().run(); // It shows when slots have become free.
        }
        return rest;
    }

    /** One look at all slots of this node, in one statement. */
    public Duration pollOnce() {
        return fetcher.peek(running.loops(), toldOfCommits);
    }

    /** Removes nodes from the registry that have long expired. */
    public Duration upkeepOnce() {
        Duration timeout = around.config().cluster().timeout();
        List<String> forgotten = stores.cluster().forgetExpired(timeout);
        if (!forgotten.isEmpty()) {
            around.listener().on(new RelayEvent.NodesForgotten(forgotten));
        }
        return timeout;
    }

    // ---- wake-ups ------------------------------------------------------------------------------------------------

    /** Waits for word of commits and looks for what is new; in a flow of events it rests, and looks without any. */
    public void listenOnce(WakeUpChannel from) throws InterruptedException {
        try {
            Duration rest = fetcher.untilPrefetch();
            List<WakeUp> told = rest.isZero() ? from.receive(around.pacing().listen()) : receive(from, rest);
            toldOfCommits(true);
            Runnable handOver = rest.isZero() ? look(told) : lookAround(told);
            handOver.run();
        } catch (RuntimeException e) {
            toldOfCommits(false);
            throw e;
        }
    }

    // Words are taken all the same, or they would fill the line; but they do not shorten the rest.
    private List<WakeUp> receive(WakeUpChannel from, Duration rest) throws InterruptedException {
        List<WakeUp> told = new ArrayList<>();
        long until = around.time().nanoTime() + rest.toNanos();
        // Channels wait for a millisecond at least, which is too long for less than half of one.
        Duration least = around.pacing().prefetchMin().dividedBy(2);
        for (Duration left = rest; left.compareTo(least) > 0; ) {
            told.addAll(from.receive(left));
            left = Duration.ofNanos(until - around.time().nanoTime());
        }
        return told;
    }

    /** Says whether commits elsewhere are told of by a channel, so that the poll need not be frequent. */
    public void toldOfCommits(boolean told) {
        toldOfCommits = told;
    }

    /** Lets the slots of these lanes look for what is new, as far as they are this node's; may look for several. */
    public void wake(WakeUp wakeUp) {
        look(List.of(wakeUp)).run();
    }

    /**
     * The same in two steps, between which anything may happen: looks for several slots at once, and returns what hands
     * them what was seen, and has to be run.
     */
    public Runnable look(List<WakeUp> wakeUps) {
        return fetcher.prefetch(told(wakeUps), List.of());
    }

    /** As {@link #look}, and looks for the other slots as well, as far as they let others look for them. */
    public Runnable lookAround(List<WakeUp> wakeUps) {
        return fetcher.prefetch(told(wakeUps), running.loops());
    }

    private Set<DeliveryLoop> told(List<WakeUp> wakeUps) {
        Set<DeliveryLoop> woken = new LinkedHashSet<>();
        if (wakeUps.contains(WakeUp.ANY)) {
            running.all().forEach(each -> woken.add(each.loop()));
        }
        for (WakeUp wakeUp : wakeUps) {
            for (int lane : wakeUp.lanes()) {
                Running each = running.ofLane(lane);
                if (each != null) {
                    woken.add(each.loop());
                }
            }
        }
        return woken;
    }

    /** Wakes the slot of a lane; false when it is not this node's. Any thread. */
    public boolean wakeLane(int lane) {
        Running each = running.ofLane(lane);
        if (each != null) {
            each.loop().wake();
        }
        return each != null && each.loop().isWorking();
    }

    /** Tells every slot that the router gives other answers now. Any thread. */
    public void rerouted() {
        running.all().forEach(each -> each.loop().rerouted());
        around.listener()
                .on(new RelayEvent.Rerouted(
                        around.router().routes().stream().map(Route::id).toList()));
    }

    /**
     * Pauses what this node's own configuration says, beside what is on hold in the store, from the next assignment on.
     * Replaces what was paused so before. Any thread.
     */
    public void pause(Map<Pause.Subject, String> reasons) {
        Instant since = around.time().instant();
        assignment.pause(reasons.entrySet().stream()
                .map(each -> new Pause(each.getKey(), each.getValue(), "configuration of " + nodeId(), since))
                .toList());
    }

    // ---- stop, and looks inside ------------------------------------------------------------------------------------

    /** Begins to give up everything; {@link #assignOnce} carries it out. */
    public void stop() {
        departure.begin();
        wakers.beat().run();
    }

    public boolean isStopped() {
        return departure.isBegun() && running.isEmpty();
    }

    /** Ends the membership, which frees whatever was not released. */
    public void leave() {
        if (membership.session() != null) {
            membership.leave();
            around.listener().on(new RelayEvent.Left(nodeId(), "it was stopped"));
        }
    }

    /** Whether this node surely is a member: false as soon as its lease may be over. */
    public boolean isMember() {
        String session = membership.session();
        return session != null && membership.isHeld(session);
    }

    /** The slots that this node works on. */
    public Set<Integer> slots() {
        return running.numbers();
    }

    /** The slots of this node from which nothing new is read, because too many of their lanes wait. */
    public List<RelayEvent.LanesFull> fullSlots() {
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
        Seen now = watch.seen();
        return now == null ? Optional.empty() : Optional.of(now.view());
    }

    /** What is on hold for this node: what its configuration has paused, and what operators have. */
    public List<Pause> holds() {
        return assignment.holds();
    }

    private String nodeId() {
        return around.config().cluster().nodeId();
    }
}
