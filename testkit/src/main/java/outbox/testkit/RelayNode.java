package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import outbox.EventEnvelope;
import outbox.model.Acquired;
import outbox.model.ClaimStrategy;
import outbox.model.ClusterView;
import outbox.model.Heartbeat;
import outbox.model.Member;
import outbox.model.OutboxEvent;
import outbox.model.RelayTerms;
import outbox.model.SettleRequest;
import outbox.model.SettleRequest.DoneRows;
import outbox.model.SettleRequest.Fence;
import outbox.model.SlotHold;
import outbox.model.Verdict;
import outbox.spi.ClusterStore;
import outbox.spi.RelayStore;
import outbox.util.KeyHash;
import outbox.util.Ulids;

/** One relay at work on the store, a step at a time. */
final class RelayNode {

    /** What every new store is worked with by default. */
    static final RelayTerms TERMS = new RelayTerms(ClaimStrategy.PARTITIONED, 6);

    private final ClusterStore cluster;
    private final RelayStore store;
    private final RelayTerms terms;
    private final Member member;

    RelayNode(StoreFixture fixture, RelayTerms terms, String nodeId) {
        this.cluster = fixture.clusterStore();
        this.store = fixture.relayStore();
        this.terms = terms;
        this.member = new Member(Ulids.SYSTEM.next(), nodeId, 1, "1.2.3", "host:1");
    }

    static int hashOf(EventEnvelope event) {
        String key = event.orderingKey();
        return KeyHash.of(key == null ? event.eventId() : key);
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
        return cluster.beat(Heartbeat.of(session(), Claimer.LONG))
                .orElseThrow(() -> new AssertionError(member.nodeId() + " has expired"));
    }

    ClusterView.SlotState slot(int slot) {
        return view().slots().get(slot);
    }

    Optional<ClusterView> beat() {
        return cluster.beat(Heartbeat.of(session(), Claimer.LONG));
    }

    /** Lives on for a moment only, and returns when that is over. */
    void expire(RelayNode witness) {
        cluster.beat(Heartbeat.of(session(), Claimer.BRIEF));
        Await.until(
                member.nodeId() + " has expired",
                () -> !witness.view().members().contains(member));
    }

    List<Acquired> tryAcquire(Integer... slots) {
        return cluster.acquire(Set.of(slots), session(), terms);
    }

    SlotHold acquire(int slot) {
        List<Acquired> acquired = tryAcquire(slot);
        assertThat(acquired)
                .as("slots acquired of slot %d by %s", slot, member.nodeId())
                .hasSize(1);
        return acquired.getFirst().hold();
    }

    void release(SlotHold... holds) {
        cluster.release(List.of(holds));
    }

    void leave() {
        cluster.leave(session());
    }

    /** Settles under a slot, and keeps what is done. */
    int settle(SlotHold hold, Verdict... verdicts) {
        return settle(new Fence.Slot(hold), DoneRows.KEEP, verdicts);
    }

    int settle(Fence fence, DoneRows doneRows, Verdict... verdicts) {
        return store.settle(new SettleRequest(fence, member.nodeId(), List.of(verdicts), doneRows));
    }

    /** Makes an event wait for its retry. */
    static void fail(StoreUnderTest store, EventEnvelope event, Duration delay) {
        settleAside(store, Verdicts.retry(event, 0, delay, "not yet"));
    }

    /** Writes a verdict as a passing node that owns a slot just for that. */
    static void settleAside(StoreUnderTest store, Verdict verdict) {
        RelayNode node = store.relayNode("aside");
        SlotHold hold = node.acquire(0);
        OutboxEvent read = store.row(verdict.settlement().claim().eventId());
        assertThat(node.settle(hold, Verdicts.of(read, verdict))).isEqualTo(1);
        node.leave();
    }
}
