package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.Ulids;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.model.EventState;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.ClusterReport;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.Finding;
import outbox.spi.operations.Selection;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause;
import outbox.testkit.InMemoryStore;
import outbox.testkit.ManualTime;
import outbox.testkit.StoreFixture;

/** A source in memory, with steps that applications and relays take, and an operator called anna. */
final class Source {

    static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    final ManualTime time = new ManualTime();
    final InMemoryStore store = new InMemoryStore(time);
    final List<Finding> ofTheStore = new ArrayList<>();
    /** Ids that ascend with the manual time, so that lists by id are lists by time. */
    private final Ulids ids = new Ulids(time, new Random(7));

    @Nullable
    RunningRelay live;

    AdminStores stores() {
        return new AdminStores(
                store.operatorStore(),
                store.clusterAdmin(),
                store.statisticsStore(),
                store.retentionStore(),
                () -> List.copyOf(ofTheStore));
    }

    StoreAdmin admin() {
        return new StoreAdmin(stores(), live, "anna");
    }

    Instant now() {
        return time.instant();
    }

    // ---- applications --------------------------------------------------------------------------------------------

    String publish(UnaryOperator<EventEnvelope.Builder> more) {
        EventEnvelope.Builder builder =
                EventEnvelope.builder("OrderPlaced").eventId(ids.next()).payloadJson("{\"a\":1}");
        EventEnvelope event = more.apply(builder).build();
        try (StoreFixture.Session session = store.newSession()) {
            session.begin();
            session.store().store(List.of(event), null);
            session.commit();
        }
        return event.eventId();
    }

    String publish() {
        return publish(builder -> builder);
    }

    String publish(String key) {
        return publish(builder -> builder.orderingKey(key));
    }

    // ---- relays --------------------------------------------------------------------------------------------------

    /** A node that is alive for the usual time and owns these partitions. */
    Member node(String nodeId, int... partitions) {
        Member member = new Member(ids.next(), nodeId, 1, "1.2.3", "host:1");
        store.clusterStore().join(member, TERMS, TIMEOUT);
        for (int partition : partitions) {
            if (store.clusterStore()
                    .acquire(Set.of(partition), member.session(), TERMS)
                    .isEmpty()) {
                throw new AssertionError("partition " + partition + " is not free");
            }
        }
        return member;
    }

    Member nodeWithAll(String nodeId) {
        return node(nodeId, 0, 1, 2, 3, 4, 5);
    }

    /** A node that claims by lease, and so keeps no order. */
    Member nodeByLease(String nodeId) {
        Member member = new Member(ids.next(), nodeId, 0, "1.2.3", "host:1");
        store.clusterStore().join(member, new ClusterLayout(ClaimStrategy.LEASE, 1), TIMEOUT);
        return member;
    }

    void beat(Member member) {
        if (store.clusterStore()
                .heartbeat(Heartbeat.of(member.session(), TIMEOUT))
                .isEmpty()) {
            throw new AssertionError(member.nodeId() + " has expired");
        }
    }

    void done(String eventId) {
        settle(claim -> new Settlement.Done(claim), eventId, null);
    }

    void fail(String eventId, Duration delay, String error) {
        settle(claim -> new Settlement.Retry(claim, delay, error), eventId, null);
    }

    void die(String eventId, String error) {
        settle(claim -> new Settlement.Dead(claim, error), eventId, null);
    }

    void dieAndHalt(String eventId, String error, String key) {
        settle(claim -> new Settlement.Dead(claim, error), eventId, key);
    }

    private void settle(Function<Claim, Settlement> settlement, String eventId, @Nullable String pausesKey) {
        EventState read = event(eventId).state();
        Claim claim = new Claim(eventId, "token", read.replays());
        SettleItem item = new SettleItem(settlement.apply(claim), read.attempts(), "kafka", pausesKey, false);
        SettleResult written =
                store.relayStore().settle(new SettleRequest(fence(eventId), "node-1", List.of(item), DoneRows.KEEP));
        if (!written.equals(SettleResult.allWritten(1))) {
            throw new AssertionError("not settled: " + eventId + ", " + written);
        }
    }

    private Fence fence(String eventId) {
        if (!store.operatorStore().cluster().partitions().isEmpty()) {
            return new Fence.Ownership(anyHold());
        }
        store.claimStore().claimOne(eventId, new ClaimTerms("token", TIMEOUT));
        return new Fence.Tokens();
    }

    /** The hold of whoever owns a partition: the store does not ask whether the event is of that one. */
    private PartitionOwnership anyHold() {
        for (ClusterReport.Partition slot : store.operatorStore().cluster().partitions()) {
            if (slot.owner() != null) {
                return new PartitionOwnership(slot.partition(), slot.epoch(), slot.owner());
            }
        }
        throw new AssertionError("give the source a node first");
    }

    // ---- looks ---------------------------------------------------------------------------------------------------

    OutboxEvent event(String eventId) {
        return store.operatorStore().find(eventId).orElseThrow();
    }

    List<String> events(EventFilter.State state) {
        EventQuery query = new EventQuery(EventFilter.ALL.withState(state), null, EventQuery.LIMIT_MAX);
        return store.operatorStore().events(query).events().stream()
                .map(EventSummary::eventId)
                .toList();
    }

    List<AuditEntry> annasActs() {
        return store.audit().stream()
                .filter(entry -> entry.who().equals("anna"))
                .toList();
    }

    static Selection ids(String... eventIds) {
        return new Selection.Ids(List.of(eventIds));
    }

    static Selection matching(EventFilter.@Nullable State state) {
        return new Selection.Matching(EventFilter.ALL.withState(state));
    }

    static Pause.Subject subject(Pause.Kind kind, String name) {
        return new Pause.Subject(kind, name);
    }
}
