package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import outbox.EventEnvelope;
import outbox.internal.Ulids;
import outbox.model.OutboxEvent;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionStore;

/** One relay at work on the store, a step at a time. */
final class RelayNode {

    /** The layout of every new store. */
    static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);

    private final ClusterStore cluster;
    private final PartitionStore store;
    private final ClusterLayout terms;
    private final Member member;

    RelayNode(StoreFixture fixture, ClusterLayout terms, String nodeId) {
        this.cluster = fixture.clusterStore();
        this.store = fixture.relayStore();
        this.terms = terms;
        this.member = new Member(Ulids.SYSTEM.next(), nodeId, 1, "1.2.3", "host:1");
    }

    static int hashOf(EventEnvelope event) {
        return event.laneHash();
    }

    /** Joins for longer than any test takes. */
    RelayNode join() {
        cluster.join(member, terms, Claimer.LONG);
        return this;
    }

    Member member() {
        return member;
    }

    String session() {
        return member.session();
    }

    ClusterView view() {
        return cluster.heartbeat(Heartbeat.of(session(), Claimer.LONG))
                .orElseThrow(() -> new AssertionError(member.nodeId() + " has expired"));
    }

    ClusterView.PartitionState partition(int partition) {
        return view().partitions().get(partition);
    }

    Optional<ClusterView> heartbeat() {
        return cluster.heartbeat(Heartbeat.of(session(), Claimer.LONG));
    }

    /** Lives on for a moment only, and returns when that is over. */
    void expire(RelayNode witness) {
        cluster.heartbeat(Heartbeat.of(session(), Claimer.BRIEF));
        Await.until(
                member.nodeId() + " has expired",
                () -> !witness.view().members().contains(member));
    }

    List<AcquiredPartition> tryAcquire(Integer... partitions) {
        return cluster.acquire(Set.of(partitions), session(), terms);
    }

    PartitionOwnership acquire(int partition) {
        List<AcquiredPartition> acquired = tryAcquire(partition);
        assertThat(acquired)
                .as("partition %d acquired by %s", partition, member.nodeId())
                .hasSize(1);
        return acquired.getFirst().ownership();
    }

    void release(PartitionOwnership... owned) {
        cluster.release(List.of(owned));
    }

    void leave() {
        cluster.leave(session());
    }

    /** Settles as the owner of a partition, and keeps done events. */
    int settle(PartitionOwnership ownership, SettleItem... items) {
        return settle(new Fence.Ownership(ownership), DoneRows.KEEP, items);
    }

    /** How many items were written; the fence must hold. */
    int settle(Fence fence, DoneRows doneRows, SettleItem... items) {
        return ((SettleResult.Settled) result(fence, doneRows, items)).written();
    }

    SettleResult result(Fence fence, DoneRows doneRows, SettleItem... items) {
        return store.settle(new SettleRequest(fence, member.nodeId(), List.of(items), doneRows));
    }

    /** Makes an event wait for its retry. */
    static void fail(StoreUnderTest store, EventEnvelope event, Duration delay) {
        settleAside(store, SettleItems.retry(event, 0, delay, "not yet"));
    }

    /** Writes an item as a node that owns a partition only for that. */
    static void settleAside(StoreUnderTest store, SettleItem item) {
        RelayNode node = store.relayNode("aside");
        PartitionOwnership ownership = node.acquire(0);
        OutboxEvent read = store.row(item.eventId());
        assertThat(node.settle(ownership, SettleItems.of(read, item))).isEqualTo(1);
        node.leave();
    }
}
