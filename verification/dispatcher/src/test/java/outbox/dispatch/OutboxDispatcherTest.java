package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.LayoutMismatchException;
import outbox.OutboxClient;
import outbox.PoolTooSmallException;
import outbox.model.ClaimTerms;
import outbox.model.EventStatus;
import outbox.spi.HotPath;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Member;
import outbox.testkit.ForwardingStore;
import outbox.testkit.StoreFixture;
import outbox.testkit.World;

class OutboxDispatcherTest {

    private final World world = new World();

    @Test
    void deliversACommittedEventFromMemoryAndSettlesItAsDone() {
        Instance instance = Instance.in(world);
        EventEnvelope event = instance.publish(World.event());

        assertThat(world.isFree(event)).isFalse();
        assertThat(instance.deliverOne()).isTrue();
        assertThat(instance.listener().events()).containsExactly(event);
        assertThat(world.status(event)).isEqualTo(EventStatus.NEW);
        instance.settle();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
        assertThat(instance.deliverOne()).isFalse();
    }

    @Test
    void deliversNothingOfATransactionThatRolledBack() {
        Instance instance = Instance.in(world);
        try (StoreFixture.Session session = world.store.newSession()) {
            session.begin();
            new OutboxClient(session.store(), instance.dispatcher()).publish(World.event());
            assertThat(instance.deliverOne()).isFalse();
            session.rollback();
        }

        assertThat(instance.deliverOne()).isFalse();
    }

    @Test
    void deliversHotEventsBeforeColdOnes() {
        Instance instance = Instance.in(world);
        EventEnvelope cold = World.event();
        world.store(cold);
        instance.poll();
        EventEnvelope hot = instance.publish(World.event());

        instance.work();

        assertThat(instance.listener().ids()).containsExactly(hot.eventId(), cold.eventId());
    }

    @Test
    void deliversTheSameEventHotAndCold() {
        Instance instance = Instance.in(world);
        EventEnvelope hot = instance.publish(World.sample()
                .header("trace", "1")
                .aggregateId("a")
                .maxAttempts(4)
                .build());
        EventEnvelope cold = World.sample()
                .header("trace", "2")
                .aggregateId("b")
                .payloadJson("[ 1 ]")
                .build();
        world.store(cold);
        instance.poll();

        instance.work();

        assertThat(instance.listener().events()).containsExactly(hot, cold);
    }

    @Test
    void leavesWhatTheHotQueueCannotTakeToThePoller() {
        Instance instance =
                Instance.builder(world).with(c -> c.setHotQueueCapacity(1)).build();
        HotPath.Handover whileEmpty = instance.dispatcher().prepare();
        EventEnvelope first = instance.publish(World.event());
        EventEnvelope second = world.publish(() -> whileEmpty, World.event());

        assertThat(world.status(second)).isEqualTo(EventStatus.NEW);
        assertThat(world.isFree(second)).isFalse();
        instance.settle();
        assertThat(world.isFree(second)).isTrue();
        assertThat(world.isFree(first)).isFalse();
        assertThat(instance.wakeUps()).contains(Duration.ZERO);

        instance.poll();
        instance.work();

        assertThat(instance.listener().ids()).containsExactly(first.eventId(), second.eventId());
        assertThat(world.status(first)).isEqualTo(EventStatus.DONE);
        assertThat(world.status(second)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void leavesWhatIsTooManyBytesToThePoller() {
        Instance instance =
                Instance.builder(world).with(c -> c.setQueueBytesMax(100)).build();
        EventEnvelope first = instance.publish(World.ofBytes(60));
        EventEnvelope second = instance.publish(World.ofBytes(60));
        instance.work();
        assertThat(world.status(first)).isEqualTo(EventStatus.DONE);
        assertThat(world.status(second)).isEqualTo(EventStatus.NEW);

        instance.poll();
        instance.work();

        assertThat(world.status(second)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void processesAnEventOnceAtATime() {
        // A store that lets everything be claimed, so that only the tracker can refuse.
        Instance instance = Instance.builder(world)
                .store(new ForwardingStore(world.store) {
                    @Override
                    public boolean claimOne(String eventId, ClaimTerms terms) {
                        super.claimOne(eventId, terms);
                        return true;
                    }
                })
                .build();
        EventEnvelope event = World.event();
        world.store(event);
        instance.enqueueCold(event, 0);
        instance.enqueueCold(event, 0);

        instance.work();

        assertThat(instance.listener().ids()).containsExactly(event.eventId());
        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void claimsAnEventThatCameWithoutAClaim() {
        Instance instance = Instance.in(world);
        EventEnvelope event = World.event();
        world.store(event);
        instance.enqueueCold(event, 0);

        assertThat(instance.deliverOne()).isTrue();
        assertThat(world.isFree(event)).isFalse();
        instance.settle();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void leavesAnEventThatCameWithoutAClaimToWhoeverHoldsIt() {
        Instance first = Instance.in(world);
        Instance second = Instance.in(world);
        EventEnvelope event = first.publish(World.event());
        second.enqueueCold(event, 0);

        second.work();
        assertThat(second.listener().events()).isEmpty();
        first.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void deliversNoEventAgainThatIsDone() {
        Instance instance = Instance.in(world);
        EventEnvelope event = instance.publish(World.event());
        instance.work();

        instance.enqueueCold(event, 0);
        instance.work();

        assertThat(instance.listener().ids()).containsExactly(event.eventId());
    }

    @Test
    void callsTheListenersOfTheTypeAndThenThoseOfEveryType() {
        Instance instance = Instance.in(world);
        List<String> called = new ArrayList<>();
        instance.listeners().registerAll(event -> called.add("every type"));
        instance.listeners().register("OrderPlaced", event -> called.add("first of the type"));
        instance.listeners().register("OrderPlaced", event -> called.add("second of the type"));
        instance.listeners().register("OrderShipped", event -> called.add("another type"));

        instance.publish(World.event());
        instance.work();

        assertThat(called).containsExactly("first of the type", "second of the type", "every type");
    }

    @Test
    void callsNoFurtherListenerOnceOneHasFailed() {
        Instance instance = Instance.in(world);
        instance.listeners().register("OrderPlaced", event -> {
            throw new IllegalStateException("no");
        });

        EventEnvelope event = instance.publish(World.event());
        instance.work();

        assertThat(instance.listener().events()).isEmpty();
        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
    }

    @Test
    void takesListenersInAndOutWhileItRuns() {
        Instance instance = Instance.in(world);
        List<String> called = new ArrayList<>();
        EventListener late = event -> called.add(event.eventId());
        EventEnvelope before = instance.publish(World.event());
        instance.work();
        instance.listeners().register("OrderPlaced", late);
        EventEnvelope during = instance.publish(World.event());
        instance.work();
        instance.listeners().unregister("OrderPlaced", late);
        instance.publish(World.event());
        instance.work();

        assertThat(called).containsExactly(during.eventId()).doesNotContain(before.eventId());
    }

    @Test
    void triesAnEventAgainForWhichThereIsNoListener() {
        Instance instance = Instance.in(world);
        instance.listeners().unregisterAll(instance.listener());
        EventEnvelope event = instance.publish(World.event());
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.RETRY);
        assertThat(world.state(event).lastError()).contains("no listener").contains("OrderPlaced");

        instance.listeners().registerAll(instance.listener());
        world.time.advance(Duration.ofSeconds(1));
        instance.poll();
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void looksForADelayedEventWhenItIsDue() {
        Instance instance = Instance.in(world);
        EventEnvelope event = instance.publish(
                World.sample().availableAt(world.time.instant().plusSeconds(90)).build());

        assertThat(instance.wakeUps()).containsExactly(Duration.ofSeconds(90));
        assertThat(instance.deliverOne()).isFalse();
        instance.poll();
        assertThat(instance.deliverOne()).isFalse();

        world.time.advance(Duration.ofSeconds(90));
        instance.poll();
        instance.work();

        assertThat(world.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void refusesAPoolThatListenersCouldUseUp() {
        assertThatThrownBy(() -> Instance.builder(world).store(pooled(5)).build())
                .isInstanceOf(PoolTooSmallException.class)
                .hasMessageContaining("5 connection(s)")
                .hasMessageContaining("4 worker(s)");
    }

    @Test
    void takesAPoolWithTwoConnectionsMoreThanWorkers() {
        Instance.builder(world).store(pooled(6)).build();
    }

    private ForwardingStore pooled(int connections) {
        return new ForwardingStore(world.store) {
            @Override
            public OptionalInt connectionsMax() {
                return OptionalInt.of(connections);
            }
        };
    }

    @Test
    void refusesAStoreThatRelaysWork() {
        world.store
                .clusterStore()
                .join(
                        new Member("session", "node", 1, "test", "here"),
                        new ClusterLayout(ClaimStrategy.PARTITIONED, 6),
                        Duration.ofMinutes(1));

        assertThatThrownBy(() -> Instance.in(world))
                .isInstanceOf(LayoutMismatchException.class)
                .hasMessageContaining("partitioned");
    }
}
