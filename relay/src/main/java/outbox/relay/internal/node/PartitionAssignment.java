package outbox.relay.internal.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.relay.internal.claim.Fetcher;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.loop.DeliveryLoop;
import outbox.relay.internal.loop.LeaseClaimer;
import outbox.relay.internal.loop.OutcomeHandler;
import outbox.relay.internal.loop.PartitionClaimer;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.loop.Suspects;
import outbox.relay.internal.model.Pauses;
import outbox.relay.internal.node.OwnedPartitions.Running;
import outbox.relay.observe.HotPartitionDetector;
import outbox.relay.observe.RelayEvent;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.ClusterView.SlotState;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause;
import outbox.spi.relay.RelayStores;

/**
 * Carries out what the cluster is to look like: gives up what is not to be this node's, releases what is drained, and
 * takes what is free and to be its own. A planned move therefore makes no duplicate: revoke, drain, release, and only
 * then acquire, at a higher epoch.
 */
final class PartitionAssignment {

    /** A node waits until it has seen the same members so many times before it takes its first slot. */
    private static final int STABLE_BEATS = 2;

    private static final int LEASE_LOOP = 0;

    private final RelayStores stores;
    private final Fetcher fetcher;
    private final RelayContext relay;
    private final Membership membership;
    private final OwnedPartitions running;
    private final Supplier<String> tokens;
    private final HotPartitionDetector heat;
    private final AtomicLong pauseReadsBegun = new AtomicLong();
    /** What this node's own configuration has paused; replaced by whoever configures it. */
    private volatile List<Pause> ownPauses = List.of();

    /** Written by the assignment; read by whoever looks inside. */
    private volatile Pauses pauses = Pauses.NONE;

    /** Whether deliveries wait for a heartbeat; written by the slots' turns, and by the beat. */
    private final AtomicBoolean awaitsHeartbeat = new AtomicBoolean();

    // Only the assignment touches these.
    private long pausesVersion = -1;
    private List<Pause> ownPausesRead = List.of();
    private boolean started;
    private @Nullable ClusterSnapshot releasedFor;
    /** Written by the assignment, read by the beat. */
    private volatile boolean moving;

    private Set<Integer> targetBefore = Set.of();

    /**
     * What the last beat showed.
     *
     * @param stableHeartbeats how many beats in a row have shown the same members
     */
    record ClusterSnapshot(String session, ClusterView view, int stableHeartbeats) {

        /** Whether this node may be given slots. */
        boolean isReady() {
            ClusterView.MemberState mine = view.states().get(session);
            return mine != null && mine.ready();
        }

        /** Whether all members have been the same for long enough, are ready, and beat. */
        boolean isCalm() {
            return isStable(this)
                    && view.members().stream()
                            .map(view::state)
                            .allMatch(state -> state.ready() && !state.isLate() && !state.connectionEnded());
        }
    }

    PartitionAssignment(
            RelayStores stores,
            Fetcher fetcher,
            RelayContext relay,
            Membership membership,
            OwnedPartitions running,
            Supplier<String> tokens) {
        this.stores = stores;
        this.fetcher = fetcher;
        this.relay = relay;
        this.membership = membership;
        this.running = running;
        this.tokens = tokens;
        this.heat = new HotPartitionDetector(relay.listener());
    }

    /** Releases what has ended, whether or not this node is a member. */
    void releaseEnded() {
        List<PartitionOwnership> drained = new ArrayList<>();
        for (Running each : running.all()) {
            DeliveryLoop.End end = each.loop().end();
            if (end == DeliveryLoop.End.DRAINED && each.layout().strategy().hasSlots()) {
                drained.add(each.loop().ownership());
            } else if (end != null) {
                running.forget(each.loop().ownership());
            }
        }
        if (!drained.isEmpty()) {
            stores.cluster().release(drained);
            drained.forEach(running::forget);
        }
    }

    /** One step towards what is to be; returns how long to rest before the next. */
    Duration runOnce(ClusterSnapshot now, boolean stopping) {
        Duration rest = relay.config().cluster().heartbeat();
        loadPauses(now.view());
        dropTakenOver(now.view());
        releaseForgotten(now);
        if (stopping || !isOnLayout(now.view())) {
            running.all().forEach(each -> each.loop().revoke());
            if (!stopping) {
                repartition(now.view());
            }
            return rest.dividedBy(10);
        }
        if (now.view().terms().strategy().hasSlots()) {
            rebalance(now);
        } else if (pauses.isNodePaused(relay.config().cluster().nodeId())) {
            running.all().forEach(each -> each.loop().revoke());
        } else if (now.isReady()) {
            startLeaseLoop(now.session());
        }
        heat.compare(running.delivered());
        boolean busy = moving
                || !isStable(now)
                || running.all().stream().anyMatch(each -> !each.loop().isWorking());
        return busy ? rest.dividedBy(10) : rest;
    }

    /** Whether slots are on their way to this node or from it. */
    boolean isMoving() {
        return moving;
    }

    /** Whether the members have been the same for long enough. */
    static boolean isStable(ClusterSnapshot seen) {
        return seen.stableHeartbeats() >= STABLE_BEATS;
    }

    private boolean isOnLayout(ClusterView view) {
        return view.partitionsWanted() == null
                && running.all().stream()
                        .allMatch(each ->
                                each.layout().partitions() == view.terms().partitions()
                                        || !each.layout().strategy().hasSlots());
    }

    private void dropTakenOver(ClusterView view) {
        for (SlotState partition : view.slots()) {
            Running mine = running.find(partition.slot());
            if (mine != null && partition.epoch() > mine.loop().ownership().epoch()) {
                mine.loop().lose("another node has taken it over");
            }
        }
    }

    // Ours in the table, and nobody here works on it: the answer to an acquisition was lost, or the lease was over here
    // before it was over there. Given back, so that somebody can take it anew, at a higher epoch.
    private void releaseForgotten(ClusterSnapshot now) {
        if (now.equals(releasedFor)) {
            return; // Done, and no beat has shown it yet.
        }
        List<PartitionOwnership> forgotten = new ArrayList<>();
        for (SlotState partition : now.view().slots()) {
            if (now.session().equals(partition.owner()) && !running.has(partition.slot())) {
                forgotten.add(new PartitionOwnership(partition.slot(), partition.epoch(), now.session()));
            }
        }
        if (!forgotten.isEmpty()) {
            stores.cluster().release(forgotten);
            releasedFor = now;
        }
    }

    private void repartition(ClusterView view) {
        Integer target = view.partitionsWanted();
        if (target != null && running.isEmpty() && stores.cluster().renumber()) {
            relay.listener().on(new RelayEvent.Renumbered(target));
        }
    }

    // ---- slots ---------------------------------------------------------------------------------------------------

    private void rebalance(ClusterSnapshot now) {
        Set<Integer> target = PartitionPlan.of(pauses.drained(now.view()), now.session());
        if (!target.equals(targetBefore)) {
            relay.listener().on(new RelayEvent.Rebalanced(targetBefore, target));
            targetBefore = target;
        }
        for (Running each : running.all()) {
            if (!target.contains(each.partition())) {
                each.loop().revoke();
            }
        }
        if (started || isStable(now)) {
            take(
                    now,
                    target.stream().filter(partition -> canTake(now, partition)).collect(Collectors.toSet()));
        }
        moving = !running.numbers().equals(target);
    }

    private boolean canTake(ClusterSnapshot now, int partition) {
        String owner = now.view().slots().get(partition).owner();
        return !running.has(partition) && (owner == null || owner.equals(now.session()));
    }

    // All of them at once: what is taken waits for nothing that takes a round trip per slot.
    private void take(ClusterSnapshot now, Set<Integer> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        ClusterLayout layout = now.view().terms();
        List<AcquiredPartition> acquired = stores.cluster().acquire(partitions, now.session(), layout);
        Set<Integer> refused = new TreeSet<>(partitions);
        acquired.forEach(each -> refused.remove(each.hold().slot()));
        refused.forEach(partition -> relay.listener().on(new RelayEvent.AcquireRefused(partition)));
        if (!acquired.isEmpty()) {
            started = true;
            // The view may be older than a last owner's term, in which an event may have died and halted its key.
            readPauses(ownPausesRead);
            acquired.forEach(each -> begin(each, layout));
        }
    }

    private void begin(AcquiredPartition acquired, ClusterLayout layout) {
        PartitionOwnership ownership = acquired.hold();
        relay.listener().on(new RelayEvent.SlotAcquired(ownership.slot(), ownership.epoch(), acquired.deaths()));
        begin(new DeliveryLoop.LoopOwner(
                ownership,
                layout,
                () -> membership.isHeld(ownership.owner()),
                () -> mayDeliver(ownership.owner()),
                new PartitionClaimer(fetcher, layout, ownership, relay),
                new OutcomeHandler.Fenced(stores.partitions(), new Fence.Slot(ownership)),
                new Suspects.Past(acquired.deaths(), () -> stores.cluster().outlived(ownership))));
    }

    // Asked by the slots' turns, when there is something to begin.
    private boolean mayDeliver(String session) {
        boolean may = membership.isUndisputed(session);
        if (!may && membership.isHeld(session) && awaitsHeartbeat.compareAndSet(false, true)) {
            relay.listener().on(new RelayEvent.DeliveriesPaused(membership.sinceHeartbeat()));
        }
        return may;
    }

    /** After a heartbeat: deliveries that waited for it continue. */
    void resumeDeliveries() {
        String session = membership.session();
        if (awaitsHeartbeat.get()
                && session != null
                && membership.isUndisputed(session)
                && awaitsHeartbeat.compareAndSet(true, false)) {
            relay.listener().on(new RelayEvent.DeliveriesResumed());
            running.all().forEach(each -> each.handle().wake());
        }
    }

    private void startLeaseLoop(String session) {
        if (running.isEmpty()) {
            begin(new DeliveryLoop.LoopOwner(
                    new PartitionOwnership(LEASE_LOOP, 0, session),
                    new ClusterLayout(ClaimStrategy.LEASE, 1),
                    () -> true, // Each row's token fences it by itself.
                    () -> true,
                    new LeaseClaimer(stores.claims(), fetcher, relay, tokens),
                    new OutcomeHandler.Fenced(stores.partitions(), new Fence.Tokens()),
                    Suspects.Past.NONE));
        }
    }

    private void begin(DeliveryLoop.LoopOwner owner) {
        running.begin(owner, pauseReadsBegun::get, pauses);
    }

    // ---- holds ---------------------------------------------------------------------------------------------------

    void pause(List<Pause> configured) {
        ownPauses = List.copyOf(configured);
    }

    List<Pause> pauses() {
        return List.copyOf(pauses.bySubject().values());
    }

    private void loadPauses(ClusterView view) {
        Collection<DestinationGate> gates = relay.gates().all(); // First: whoever adds one has set its pauses before.
        List<Pause> configured = ownPauses;
        if (view.holdsVersion() != pausesVersion || !configured.equals(ownPausesRead)) {
            readPauses(configured);
            pausesVersion = view.holdsVersion();
            ownPausesRead = configured;
        }
        // With every look, since gates may have been added: one that is new lets nothing through before this.
        for (DestinationGate gate : gates) {
            boolean paused = pauses.isDestinationPaused(gate.name());
            if (paused && !gate.isPaused()) {
                gate.pause();
            } else if (!paused && gate.isPaused()) {
                gate.resume();
            }
        }
    }

    private void readPauses(List<Pause> configured) {
        long generation = pauseReadsBegun.incrementAndGet();
        List<Pause> all = new ArrayList<>(configured);
        all.addAll(stores.cluster().holds()); // Behind the node's own, so that an operator's reason is the one told.
        Pauses loaded = Pauses.of(generation, all);
        publish(pauses, loaded);
        pauses = loaded;
        running.all().forEach(each -> each.loop().apply(loaded));
    }

    private void publish(Pauses before, Pauses after) {
        for (Pause.Subject subject : before.subjects()) {
            if (after.of(subject).isEmpty()) {
                relay.listener().on(new RelayEvent.Resumed(subject));
            }
        }
        for (Pause.Subject subject : after.subjects()) {
            if (before.of(subject).isEmpty()) {
                after.of(subject).ifPresent(pause -> relay.listener().on(new RelayEvent.Held(pause)));
            }
        }
    }
}
