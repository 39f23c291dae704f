package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.internal.KeyHash;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.relay.observe.RelayEvent;
import outbox.relay.route.Route;
import outbox.relay.route.Router;
import outbox.spi.DestinationTraits;
import outbox.spi.SettleRequest;
import outbox.spi.relay.WakeUp;
import outbox.testkit.StoreFixture.Session;
import outbox.testkit.World;

/** Order, batches, rate, routes and wake-ups. */
class RelayDeliveryTest {

    private final Rig rig = new Rig();

    @Test
    void deliversTheEventsOfAKeyInTheirOrder() {
        RigNode node = rig.settled("a");
        List<EventEnvelope> events = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            events.add(rig.publish("k"));
            rig.pass(Duration.ofMillis(7));
        }
        rig.passSeconds(1);

        assertThat(node.destination.eventIds()).containsExactlyElementsOf(Rig.ids(events));
        rig.assertDone(events);
        assertThat(node.relay.eventsInMemory()).isZero();
    }

    @Test
    void deliversBothWhenAnOlderEventCommitsLater() {
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        try (Session late = rig.store.newSession()) {
            late.begin();
            OutboxClient.storeOnly(late.store()).publish(World.ofKey("other"));
            rig.publish("k");
            rig.passSeconds(2);
            late.commit();
        }
        node.destination.releaseAll();
        rig.passSeconds(2);

        assertThat(rig.store.isQuiet()).isTrue();
        assertThat(node.destination.eventIds()).hasSize(2);
    }

    @Test
    void goesBackWithTheNumbers() {
        RigNode node = rig.settled("a");
        node.relay.wakeUps().commitsNotified(true); // So that no poll comes between.
        rig.publish("k", 20);
        rig.passSeconds(5);
        try (Session late = rig.store.newSession()) {
            rig.store.restartNumbering();
            late.begin();
            OutboxClient.storeOnly(late.store()).publish(World.ofKey("other"));
            EventEnvelope event = rig.publish("k");
            node.relay.wakeUps().wake(WakeUp.ANY);
            rig.pass(Duration.ofMillis(1));

            assertThat(node.destination.eventIds()).endsWith(event.eventId());
        }
    }

    @Test
    void deliversTheEventsOfAKeyInBatchesWhereTheDestinationTakesThem() {
        rig.traits = DestinationTraits.requestResponse();
        RigNode node = rig.settled("a");
        List<EventEnvelope> events = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            for (int key = 0; key < 30; key++) {
                events.addAll(rig.publish("key-" + key, 4));
            }
            rig.passSeconds(1);
        }
        rig.passSeconds(2);

        rig.assertDeliveredOnce(events);
        assertThat(node.destination.calls()).anyMatch(call -> call.size() > 1);
        for (int key = 0; key < 30; key++) {
            String name = "key-" + key;
            assertThat(node.destination.deliveries().stream()
                            .filter(delivery -> name.equals(delivery.event().orderingKey()))
                            .map(delivery -> delivery.event().eventId()))
                    .isSorted();
        }
    }

    @Test
    void goesAtTheRateThatIsAllowed() {
        rig.treatment = DestinationConfig.defaults().withEventsPerSecondMax(10);
        RigNode node = rig.settled("a");
        rig.publish("k", 50);
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ofMillis(2_050));

        assertThat(node.destination.eventIds()).hasSizeBetween(18, 22);
    }

    @Test
    void deletesDoneRowsWhereSetSo() {
        rig.settings = config -> config.withSettle(config.settle().withDoneRows(SettleRequest.DoneRows.DELETE));
        rig.settled("a");
        rig.publish("k");
        rig.passSeconds(1);

        assertThat(rig.store.events()).isEmpty();
    }

    @Test
    void deliversWhenItIsWokenWithoutWaitingForThePoll() {
        RigNode node = rig.settled("a");
        rig.passSeconds(5);
        EventEnvelope event = rig.publish("k");
        node.relay.wakeUps().wake(new WakeUp(Set.of(KeyHash.of("k"))));
        rig.pass(Duration.ZERO);
        assertThat(node.destination.eventIds()).containsExactly(event.eventId());
        assertThat(rig.status(event))
                .as("nothing more is to come, so it is written at once")
                .isEqualTo(EventStatus.DONE);

        rig.publish("another");
        node.relay.wakeUps().wake(WakeUp.ANY);
        rig.pass(Duration.ZERO);
        assertThat(node.destination.eventIds()).hasSize(2);
    }

    @Test
    void waitsForARouteAndDeliversWhenThereIsOne() {
        AtomicBoolean known = new AtomicBoolean();
        rig.router = router(
                event -> known.get() || !event.eventType().equals("Unknown") ? List.of(Route.to("there")) : List.of());
        RigNode node = rig.settled("a");
        EventEnvelope lost = rig.publish(EventEnvelope.builder("Unknown")
                .orderingKey("k")
                .payloadJson("{}")
                .build());
        EventEnvelope other = rig.publish("other");
        rig.passSeconds(5);
        assertThat(rig.status(other)).isEqualTo(EventStatus.DONE);
        assertThat(rig.status(lost)).isEqualTo(EventStatus.NEW);
        assertThat(node.notified(RelayEvent.Parked.class))
                .singleElement()
                .satisfies(parked -> assertThat(parked.reason()).contains("no route"));

        known.set(true);
        rig.passSeconds(31);
        assertThat(rig.status(lost)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void losesNothingWhenTheRouterThrows() {
        AtomicBoolean broken = new AtomicBoolean(true);
        rig.router = router(event -> {
            if (broken.getAndSet(false)) {
                throw new IllegalStateException("the router fails once");
            }
            return List.of(Route.to("there"));
        });
        rig.settled("a");
        List<EventEnvelope> events = rig.publish("k", 5);
        rig.passSeconds(30);

        rig.assertDone(events);
    }

    private static Router router(java.util.function.Function<OutboxEvent, List<Route>> routes) {
        return new Router() {
            @Override
            public List<Route> route(OutboxEvent event) {
                return routes.apply(event);
            }

            @Override
            public List<Route> routes() {
                return List.of(Route.to("there"));
            }

            @Override
            public List<Rule> rules() {
                return List.of();
            }

            @Override
            public boolean fansOut() {
                return false;
            }
        };
    }
}
