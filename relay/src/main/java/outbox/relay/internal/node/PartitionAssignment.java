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
import outbox.spi.relay.ClusterView.PartitionState;
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
    private final RelayContext around;
    private final Membership membership;
    private final OwnedPartitions running;
    private final Supplier<String> tokens;
    private final HotPartitionDetector heat;
    private final AtomicLong holdsBegun = new AtomicLong();
    /** What this node's own configuration has paused; replaced by whoever configures it. */
    private volatile List<Pause> pauses = List.of();

    /** Written by the assignment; read by whoever looks inside. */
    private volatile Pauses holds = Pauses.NONE;

    /** Whether deliveries wait for a heartbeat; written by the slots' turns, and by the beat. */
    private final AtomicBoolean paused = new AtomicBoolean();

    // Only the assignment touches these.
    private long holdsVersion = -1;
    private List<Pause> ownHolds = List.of();
    private boolean started;
    private @Nullable Seen releasedFor;
    /** Written by the assignment, read by the beat. */
    private volatile boolean moving;

    private Set<Integer> wantedBefore = Set.of();

    /**
     * What the last beat showed.
     *
     * @param stableBeats how many beats in a row have shown the same members
     */
    record Seen(String session, ClusterView view, int stableBeats) {

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
            RelayContext around,
            Membership membership,
            OwnedPartitions running,
            Supplier<String> tokens) {
        this.stores = stores;
        this.fetcher = fetcher;
        this.around = around;
        this.membership = membership;
        this.running = running;
        this.tokens = tokens;
        this.heat = new HotPartitionDetector(around.listener());
    }

    /** Releases what has ended, whether or not this node is a member. */
    void releaseEnded() {
        List<PartitionOwnership> drained = new ArrayList<>();
        for (Running each : running.all()) {
            DeliveryLoop.End end = each.loop().end();
            if (end == DeliveryLoop.End.DRAINED && each.terms().strategy().usesPartitions()) {
                drained.add(each.loop().hold());
            } else if (end != null) {
                running.forget(each.loop().hold());
            }
        }
        if (!drained.isEmpty()) {
            stores.cluster().release(drained);
            drained.forEach(running::forget);
        }
    }

    /** One step towards what is to be; returns how long to rest before the next. */
    Duration runOnce(Seen now, boolean stopping) {
        Duration rest = around.config().cluster().heartbeat();
        loadHolds(now.view());
        loseTakenOver(now.view());
        releaseForgotten(now);
        if (stopping || !isOnTerms(now.view())) {
            running.all().forEach(each -> each.loop().revoke());
            if (!stopping) {
                renumber(now.view());
            }
            return rest.dividedBy(10);
        }
        if (now.view().terms().strategy().usesPartitions()) {
            rebalance(now);
        } else if (holds.holdsNode(around.config().cluster().nodeId())) {
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
    static boolean isStable(Seen seen) {
        return seen.stableBeats() >= STABLE_BEATS;
    }

    private boolean isOnTerms(ClusterView view) {
        return view.partitionsWanted() == null
                && running.all().stream()
                        .allMatch(each ->
                                each.terms().partitions() == view.terms().partitions()
                                        || !each.terms().strategy().usesPartitions());
    }

    private void loseTakenOver(ClusterView view) {
        for (PartitionState slot : view.partitions()) {
            Running mine = running.find(slot.partition());
            if (mine != null && slot.epoch() > mine.loop().hold().epoch()) {
                mine.loop().lose("another node has taken it over");
            }
        }
    }

    // Ours in the table, and nobody here works on it: the answer to an acquisition was lost, or the lease was over here
    // before it was over there. Given back, so that somebody can take it anew, at a higher epoch.
    private void releaseForgotten(Seen now) {
        if (now.equals(releasedFor)) {
            return; // Done, and no beat has shown it yet.
        }
        List<PartitionOwnership> forgotten = new ArrayList<>();
        for (PartitionState slot : now.view().partitions()) {
            if (now.session().equals(slot.owner()) && !running.has(slot.partition())) {
                forgotten.add(new PartitionOwnership(slot.partition(), slot.epoch(), now.session()));
            }
        }
        if (!forgotten.isEmpty()) {
            stores.cluster().release(forgotten);
            releasedFor = now;
        }
    }

    private void renumber(ClusterView view) {
        Integer wanted = view.partitionsWanted();
        if (wanted != null && running.isEmpty() && stores.cluster().repartition()) {
            around.listener().on(new RelayEvent.Repartitioned(wanted));
        }
    }

    // ---- slots ---------------------------------------------------------------------------------------------------

    private void rebalance(Seen now) {
        Set<Integer> wanted = PartitionPlan.of(holds.drained(now.view()), now.session());
        if (!wanted.equals(wantedBefore)) {
            around.listener().on(new RelayEvent.Rebalanced(wantedBefore, wanted));
            wantedBefore = wanted;
        }
        for (Running each : running.all()) {
            if (!wanted.contains(each.slot())) {
                each.loop().revoke();
            }
        }
        if (started || isStable(now)) {
            take(now, wanted.stream().filter(slot -> isToBeTaken(now, slot)).collect(Collectors.toSet()));
        }
        moving = !running.numbers().equals(wanted);
    }

    private boolean isToBeTaken(Seen now, int slot) {
        String owner = now.view().partitions().get(slot).owner();
        return !running.has(slot) && (owner == null || owner.equals(now.session()));
    }

    // All of them at once: what is taken waits for nothing that takes a round trip per slot.
    private void take(Seen now, Set<Integer> slots) {
        if (slots.isEmpty()) {
            return;
        }
        ClusterLayout terms = now.view().terms();
        List<AcquiredPartition> acquired = stores.cluster().acquire(slots, now.session(), terms);
        Set<Integer> refused = new TreeSet<>(slots);
        acquired.forEach(each -> refused.remove(each.ownership().partition()));
        refused.forEach(slot -> around.listener().on(new RelayEvent.AcquireRefused(slot)));
        if (!acquired.isEmpty()) {
            started = true;
            // The view may be older than a last owner's term, in which an event may have died and halted its key.
            readHolds(ownHolds);
            acquired.forEach(each -> begin(each, terms));
        }
    }

    private void begin(AcquiredPartition acquired, ClusterLayout terms) {
        PartitionOwnership hold = acquired.ownership();
        around.listener().on(new RelayEvent.PartitionAcquired(hold.partition(), hold.epoch(), acquired.deaths()));
        begin(new DeliveryLoop.Tenure(
                hold,
                terms,
                () -> membership.isHeld(hold.owner()),
                () -> mayBegin(hold.owner()),
                new PartitionClaimer(fetcher, terms, hold, around),
                new OutcomeHandler.Fenced(stores.partitions(), new Fence.Ownership(hold)),
                new Suspects.Past(acquired.deaths(), () -> stores.cluster().outlived(hold))));
    }

    // Asked by the slots' turns, when there is something to begin.
    private boolean mayBegin(String session) {
        boolean may = membership.isUndisputed(session);
        if (!may && membership.isHeld(session) && paused.compareAndSet(false, true)) {
            around.listener().on(new RelayEvent.DeliveriesPaused(membership.sinceBeat()));
        }
        return may;
    }

    /** After a heartbeat: deliveries that waited for it continue. */
    void resumeDeliveries() {
        String session = membership.session();
        if (paused.get() && session != null && membership.isUndisputed(session) && paused.compareAndSet(true, false)) {
            around.listener().on(new RelayEvent.DeliveriesResumed());
            running.all().forEach(each -> each.handle().wake());
        }
    }

    private void startLeaseLoop(String session) {
        if (running.isEmpty()) {
            begin(new DeliveryLoop.Tenure(
                    new PartitionOwnership(LEASE_LOOP, 0, session),
                    new ClusterLayout(ClaimStrategy.LEASE, 1),
                    () -> true, // Each row's token fences it by itself.
                    () -> true,
                    new LeaseClaimer(stores.claims(), fetcher, around, tokens),
                    new OutcomeHandler.Fenced(stores.partitions(), new Fence.Tokens()),
                    Suspects.Past.NONE));
        }
    }

    private void begin(DeliveryLoop.Tenure tenure) {
        running.begin(tenure, holdsBegun::get, holds);
    }

    // ---- holds ---------------------------------------------------------------------------------------------------

    void pause(List<Pause> configured) {
        pauses = List.copyOf(configured);
    }

    List<Pause> holds() {
        return List.copyOf(holds.bySubject().values());
    }

    private void loadHolds(ClusterView view) {
        Collection<DestinationGate> gates = around.gates().all(); // First: whoever adds one has set its pauses before.
        List<Pause> configured = pauses;
        if (view.pausesVersion() != holdsVersion || !configured.equals(ownHolds)) {
            readHolds(configured);
            holdsVersion = view.pausesVersion();
            ownHolds = configured;
        }
        // With every look, since gates may have been added: one that is new lets nothing through before this.
        for (DestinationGate gate : gates) {
            boolean paused = holds.holdsDestination(gate.name());
            if (paused && !gate.isPaused()) {
                gate.pause();
            } else if (!paused && gate.isPaused()) {
                gate.resume();
            }
        }
    }

    private void readHolds(List<Pause> configured) {
        long generation = holdsBegun.incrementAndGet();
        List<Pause> all = new ArrayList<>(configured);
        all.addAll(stores.cluster().pauses()); // Behind the node's own, so that an operator's reason is the one told.
        Pauses loaded = Pauses.of(generation, all);
        tell(holds, loaded);
        holds = loaded;
        running.all().forEach(each -> each.loop().apply(loaded));
    }

    private void tell(Pauses before, Pauses after) {
        for (Pause.Subject subject : before.subjects()) {
            if (after.of(subject).isEmpty()) {
                around.listener().on(new RelayEvent.Resumed(subject));
            }
        }
        for (Pause.Subject subject : after.subjects()) {
            if (before.of(subject).isEmpty()) {
                after.of(subject).ifPresent(hold -> around.listener().on(new RelayEvent.PausesChanged(hold)));
            }
        }
    }
}
