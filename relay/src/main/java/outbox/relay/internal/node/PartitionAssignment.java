package outbox.relay.internal.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.relay.internal.claim.Fetcher;
import outbox.relay.internal.loop.DeliveryLoop;
import outbox.relay.internal.loop.LeaseClaimer;
import outbox.relay.internal.loop.LoopOwner;
import outbox.relay.internal.loop.PartitionClaimer;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.loop.Suspects;
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
import outbox.spi.relay.RelayStores;

/**
 * Carries out the {@link PartitionPlan}: revokes what another node is to own, releases what is drained, and acquires what is
 * free and planned for this node. A planned move makes no duplicates: revoke, drain, release, and only then acquire, at a
 * higher epoch.
 */
final class PartitionAssignment {

    private static final int LEASE_LOOP = 0;

    private final RelayStores stores;
    private final Fetcher fetcher;
    private final RelayContext relay;
    private final Membership membership;
    private final OwnedPartitions running;
    private final PauseLoader pauses;
    private final Supplier<String> tokens;
    private final HotPartitionDetector heat;

    /** Whether deliveries wait for a heartbeat; written by the loops, and by the heartbeat. */
    private final AtomicBoolean awaitsHeartbeat = new AtomicBoolean();

    // Only the assignment uses these.
    private boolean started;
    private @Nullable ClusterSnapshot releasedFor;
    private Set<Integer> targetBefore = Set.of();

    /** Whether partitions are moving to this node or from it. Written by the assignment, read by the heartbeat. */
    private volatile boolean moving;

    PartitionAssignment(
            RelayStores stores,
            Fetcher fetcher,
            RelayContext relay,
            Membership membership,
            OwnedPartitions running,
            PauseLoader pauses,
            Supplier<String> tokens) {
        this.stores = stores;
        this.fetcher = fetcher;
        this.relay = relay;
        this.membership = membership;
        this.running = running;
        this.pauses = pauses;
        this.tokens = tokens;
        this.heat = new HotPartitionDetector(relay.listener());
    }

    boolean isMoving() {
        return moving;
    }

    /** Releases what has ended, whether or not this node is a member. */
    void releaseEnded() {
        List<PartitionOwnership> drained = new ArrayList<>();
        for (Running each : running.all()) {
            DeliveryLoop.End end = each.loop().end();
            if (end == DeliveryLoop.End.DRAINED && each.layout().strategy().usesPartitions()) {
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

    /** One step towards the plan; returns how long to rest before the next. */
    Duration runOnce(ClusterSnapshot now, boolean stopping) {
        Duration rest = relay.config().cluster().heartbeat();
        pauses.load(now.view());
        dropTakenOver(now.view());
        releaseForgotten(now);
        if (stopping || !isOnLayout(now.view())) {
            revokeAll();
            if (!stopping) {
                repartition(now.view());
            }
            return rest.dividedBy(10);
        }
        if (now.view().terms().strategy().usesPartitions()) {
            rebalance(now);
        } else if (pauses.pauses().isNodePaused(relay.config().cluster().nodeId())) {
            revokeAll();
        } else if (now.isReady()) {
            startLeaseLoop(now.session());
        }
        heat.compare(running.delivered());
        boolean busy = moving
                || !now.isStable()
                || running.all().stream().anyMatch(each -> !each.loop().isWorking());
        return busy ? rest.dividedBy(10) : rest;
    }

    private void revokeAll() {
        running.all().forEach(each -> each.loop().revoke());
    }

    private boolean isOnLayout(ClusterView view) {
        return view.partitionsWanted() == null
                && running.all().stream()
                        .allMatch(each ->
                                each.layout().partitions() == view.terms().partitions()
                                        || !each.layout().strategy().usesPartitions());
    }

    private void dropTakenOver(ClusterView view) {
        for (PartitionState partition : view.partitions()) {
            Running mine = running.find(partition.partition());
            if (mine != null && partition.epoch() > mine.loop().ownership().epoch()) {
                mine.loop().lose("another node has taken it over");
            }
        }
    }

    // This node owns them in the table, but no loop works on them: the reply to an acquisition was lost, or the lease
    // ended here before it ended there. Released, so that a node can acquire them at a higher epoch.
    private void releaseForgotten(ClusterSnapshot now) {
        if (now.equals(releasedFor)) {
            return; // Done, and no heartbeat has shown it yet.
        }
        List<PartitionOwnership> forgotten = new ArrayList<>();
        for (PartitionState partition : now.view().partitions()) {
            if (now.session().equals(partition.owner()) && !running.has(partition.partition())) {
                forgotten.add(new PartitionOwnership(partition.partition(), partition.epoch(), now.session()));
            }
        }
        if (!forgotten.isEmpty()) {
            stores.cluster().release(forgotten);
            releasedFor = now;
        }
    }

    private void repartition(ClusterView view) {
        Integer wanted = view.partitionsWanted();
        if (wanted != null && running.isEmpty() && stores.cluster().repartition()) {
            relay.listener().on(new RelayEvent.Repartitioned(wanted));
        }
    }

    // ---- partitions ----------------------------------------------------------------------------------------------

    private void rebalance(ClusterSnapshot now) {
        Set<Integer> target = PartitionPlan.of(pauses.pauses().drained(now.view()), now.session());
        if (!target.equals(targetBefore)) {
            relay.listener().on(new RelayEvent.Rebalanced(targetBefore, target));
            targetBefore = target;
        }
        for (Running each : running.all()) {
            if (!target.contains(each.partition())) {
                each.loop().revoke();
            }
        }
        if (started || now.isStable()) {
            take(
                    now,
                    target.stream().filter(partition -> canTake(now, partition)).collect(Collectors.toSet()));
        }
        moving = !running.numbers().equals(target);
    }

    private boolean canTake(ClusterSnapshot now, int partition) {
        String owner = now.view().partitions().get(partition).owner();
        return !running.has(partition) && (owner == null || owner.equals(now.session()));
    }

    // All of them at once: an acquired partition does not wait for a round trip of each other.
    private void take(ClusterSnapshot now, Set<Integer> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        ClusterLayout layout = now.view().terms();
        List<AcquiredPartition> acquired = stores.cluster().acquire(partitions, now.session(), layout);
        Set<Integer> refused = new TreeSet<>(partitions);
        acquired.forEach(each -> refused.remove(each.ownership().partition()));
        refused.forEach(partition -> relay.listener().on(new RelayEvent.AcquireRefused(partition)));
        if (!acquired.isEmpty()) {
            started = true;
            // The view may be older than the last owner's end, and a dead event may have paused its key since.
            pauses.readAgain();
            acquired.forEach(each -> begin(each, layout));
        }
    }

    private void begin(AcquiredPartition acquired, ClusterLayout layout) {
        PartitionOwnership ownership = acquired.ownership();
        relay.listener()
                .on(new RelayEvent.PartitionAcquired(ownership.partition(), ownership.epoch(), acquired.deaths()));
        begin(new LoopOwner(
                ownership,
                layout,
                () -> membership.isHeld(ownership.owner()),
                () -> mayDeliver(ownership.owner()),
                new PartitionClaimer(fetcher, layout, ownership, relay),
                stores.partitions(),
                new Fence.Ownership(ownership),
                new Suspects.Past(acquired.deaths(), () -> stores.cluster().outlived(ownership))));
    }

    // Called by the loops when there is something to deliver.
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
            begin(new LoopOwner(
                    new PartitionOwnership(LEASE_LOOP, 0, session),
                    new ClusterLayout(ClaimStrategy.LEASE, 1),
                    () -> true, // The token of each row is its fence.
                    () -> true,
                    new LeaseClaimer(stores.claims(), fetcher, relay, tokens),
                    stores.partitions(),
                    new Fence.Tokens(),
                    Suspects.Past.NONE));
        }
    }

    private void begin(LoopOwner owner) {
        running.begin(owner, pauses::readsBegun, pauses.pauses());
    }
}
