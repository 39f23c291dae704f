package catbox.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.admin.AdminStores;
import outbox.admin.OutboxAdmin;
import outbox.admin.RunningRelay;
import outbox.admin.StoreAdmin;
import outbox.admin.view.DestinationView;
import outbox.admin.view.EventView;
import outbox.admin.view.RouteView;
import outbox.internal.Ulids;
import outbox.model.Claim;
import outbox.model.EventState;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.SettleItem;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.TimeSource;
import outbox.spi.operations.ClusterReport;
import outbox.spi.operations.Finding;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.testkit.InMemoryStore;
import outbox.testkit.StoreFixture;

/** A source in memory, with the real operations on it. */
final class TestSource implements RunningRelay {

    private static final ClusterLayout TERMS = new ClusterLayout(ClaimStrategy.PARTITIONED, 6);

    final List<Finding> findings = new ArrayList<>();
    final List<DestinationView> destinations = new ArrayList<>();
    volatile boolean routeOnHold;
    private final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);
    private final Ulids ids = new Ulids(TimeSource.SYSTEM, new Random(7));

    OutboxAdmin admin(String who) {
        return new StoreAdmin(
                new AdminStores(
                        store.operatorStore(),
                        store.clusterAdmin(),
                        store.statisticsStore(),
                        store.retentionStore(),
                        () -> List.copyOf(findings)),
                this,
                who);
    }

    String publish(String key, UnaryOperator<EventEnvelope.Builder> more) {
        EventEnvelope event = more.apply(EventEnvelope.builder("OrderPlaced")
                        .eventId(ids.next())
                        .orderingKey(key)
                        .payloadJson("{\"card\":\"the card of a customer\"}"))
                .build();
        try (StoreFixture.Session session = store.newSession()) {
            session.begin();
            session.store().store(List.of(event), null);
            session.commit();
        }
        return event.eventId();
    }

    String publish(String key) {
        return publish(key, builder -> builder);
    }

    void node(String nodeId, int... partitions) {
        Member member = new Member(ids.next(), nodeId, 1, "1.2.3", "host:1");
        store.clusterStore().join(member, TERMS, Duration.ofHours(1));
        for (int partition : partitions) {
            store.clusterStore()
                    .acquire(Set.of(partition), member.session(), TERMS)
                    .getFirst();
        }
    }

    void done(String eventId) {
        settle(Settlement.Done::new, eventId);
    }

    void fail(String eventId, String error) {
        settle(claim -> new Settlement.Retry(claim, Duration.ofMinutes(5), error), eventId);
    }

    void die(String eventId, String error) {
        settle(claim -> new Settlement.Dead(claim, error), eventId);
    }

    OutboxEvent event(String eventId) {
        return store.operatorStore().find(eventId).orElseThrow();
    }

    private void settle(Function<Claim, Settlement> settlement, String eventId) {
        ClusterReport.Partition slot = store.operatorStore().cluster().partitions().stream()
                .filter(each -> each.owner() != null)
                .findFirst()
                .orElseThrow();
        EventState read = event(eventId).state();
        Claim claim = new Claim(eventId, "none", read.replays());
        SettleItem item = new SettleItem(settlement.apply(claim), read.attempts(), "kafka");
        Fence fence = new Fence.Ownership(
                new PartitionOwnership(slot.partition(), slot.epoch(), String.valueOf(slot.owner())));
        SettleResult written =
                store.relayStore().settle(new SettleRequest(fence, "node-1", List.of(item), DoneRows.KEEP));
        if (!written.equals(SettleResult.allWritten(1))) {
            throw new AssertionError("not settled: " + eventId);
        }
    }

    // ---- what only a running relay knows -------------------------------------------------------------------------

    @Override
    public List<DestinationView> destinations() {
        return List.copyOf(destinations);
    }

    @Override
    public List<Finding> findings() {
        return List.of();
    }

    @Override
    public Optional<Duration> keepsDone() {
        return Optional.empty();
    }

    @Override
    public List<RouteView> routes(RouteView.@Nullable Sample sample) {
        boolean taken = sample != null && sample.eventType().startsWith("Order");
        return List.of(new RouteView(
                "orders",
                "type is Order*",
                List.of("kafka/orders"),
                null,
                1,
                routeOnHold,
                taken,
                taken ? List.of("orders") : List.of()));
    }

    @Override
    public Optional<EventView.Arrival> arrival(String eventId) {
        return Optional.empty();
    }

    @Override
    public Resent resend(List<OutboxEvent> events, String destination) {
        if (destinations.stream().noneMatch(each -> each.name().equals(destination))) {
            throw new NoSuchElementException("there is no destination " + destination);
        }
        return new Resent(events.size(), null);
    }
}
