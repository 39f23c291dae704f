package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static outbox.relay.route.RouteTable.Target.to;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.Delivery;
import outbox.model.EventStatus;
import outbox.model.Outcome;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.internal.model.Pacing;
import outbox.relay.observe.RelayEvent;
import outbox.relay.route.Match;
import outbox.relay.route.ReplaceableRouter;
import outbox.relay.route.RouteTable;
import outbox.relay.route.Router;
import outbox.spi.relay.ClaimStrategy;
import outbox.testkit.RecordingDestination;

class RelayRoutesTest {

    private static final Outcome DOWN = new Outcome.Retryable("down", null);
    private static final Router BOTH = RouteTable.builder()
            .route("both", Match.all(), to("there", "orders.{key}"), to("elsewhere"))
            .build()
            .router();

    private final Rig rig = new Rig();

    // ---- several destinations ------------------------------------------------------------------------------------

    @Test
    void deliversToEveryDestinationInTheOrderOfTheRoute() {
        rig.router = BOTH;
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        List<EventEnvelope> events = rig.publish("k", 3);
        rig.passSeconds(2);
        assertThat(node.elsewhere.eventIds())
                .as("the first has not acknowledged yet")
                .isEmpty();

        node.destination.releaseAll();
        rig.passSeconds(2);

        assertThat(node.destination.eventIds()).isEqualTo(Rig.ids(events));
        assertThat(node.elsewhere.eventIds()).isEqualTo(Rig.ids(events));
        rig.assertDone(events);
        assertThat(acknowledged(events)).as("it is not needed any more").isEmpty();
        assertThat(node.notified(RelayEvent.Acknowledged.class)).hasSize(3);
    }

    @Test
    void givesDestinationsTheAddressThatTheRouteMakesAndThePartition() {
        rig.router = BOTH;
        RigNode node = rig.settled("a");
        rig.publish("k-7");
        rig.passSeconds(1);

        assertThat(node.destination.deliveries()).extracting(Delivery::address).containsExactly("orders.k-7");
        assertThat(node.elsewhere.deliveries()).extracting(Delivery::address).containsExactly((String) null);
        assertThat(node.destination.deliveries().get(0).partition()).isEqualTo(Math.floorMod(Rows.lane("k-7"), 6));
    }

    @Test
    void retriesOnlyWhereItWasNotAcknowledged() {
        rig.router = BOTH;
        RigNode node = rig.settled("a");
        node.elsewhere.answer(delivery -> delivery.attempt() < 4 ? DOWN : new Outcome.Delivered());
        List<EventEnvelope> events = rig.publish("k", 2);
        rig.passSeconds(20);

        assertThat(node.destination.eventIds()).isEqualTo(Rig.ids(events));
        assertThat(node.elsewhere.eventIds()).hasSize(8);
        rig.assertDone(events);
    }

    @Test
    void retriesOnlyWhereItWasNotAcknowledgedAlsoAfterAKill() {
        rig.router = BOTH;
        RigNode killed = rig.settled("a");
        killed.elsewhere.delayAnswers();
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(2);
        assertThat(killed.elsewhere.eventIds())
                .as("it is between the two acknowledgements")
                .containsExactly(event.eventId());
        killed.kill();

        RigNode next = rig.start("b");
        rig.passSeconds(20);

        assertThat(next.destination.eventIds()).isEmpty();
        assertThat(next.elsewhere.eventIds()).containsExactly(event.eventId());
        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void isDoneWithoutAnotherDeliveryWhenEverybodyHadAcknowledged() {
        rig.router = BOTH;
        RigNode node = rig.settled("a");
        node.elsewhere.answer(delivery -> DOWN);
        EventEnvelope event = rig.publish("k");
        rig.pass(Duration.ofMillis(500));
        node.kill();
        // The second destination is taken off the route while the event waits for it.
        rig.router = new ReplaceableRouter(BOTH);
        ((ReplaceableRouter) rig.router)
                .replace(RouteTable.builder()
                        .otherwise(to("there", "orders.{key}"))
                        .build()
                        .router());
        RigNode next = rig.start("b");
        rig.passSeconds(20);

        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
        assertThat(next.destination.eventIds()).isEmpty();
        assertThat(next.elsewhere.eventIds()).isEmpty();
        assertThat(next.notified(RelayEvent.Dropped.class)).isEmpty();
    }

    @Test
    void keepsTheOrderOfAKeyAtEachDestination() {
        rig.router = BOTH;
        rig.traits = rig.traits.withEventsPerKeyMax(10);
        RigNode node = rig.settled("a");
        node.elsewhere.answer(delivery -> delivery.attempt() == 1 ? DOWN : new Outcome.Delivered());
        List<EventEnvelope> events = rig.publish("k", 12);
        rig.passSeconds(60);

        rig.assertDone(events);
        assertThat(node.destination.eventIds()).isEqualTo(Rig.ids(events));
        assertThat(node.elsewhere.eventIds().stream().distinct().toList()).isEqualTo(Rig.ids(events));
    }

    @Test
    void rereadsWhatWasReadWhenItCouldNotBeFoundOutWhoHadAcknowledged() {
        rig.router = BOTH;
        RigNode node = rig.settled("a");
        node.line.before(call -> {
            if (call.equals("acknowledged")) {
                throw new OutboxException("away");
            }
        });
        List<EventEnvelope> events = rig.publish("k", 3);
        rig.passSeconds(3);
        assertThat(node.destination.eventIds()).isEmpty();

        node.line.before(call -> {});
        rig.passSeconds(5);

        rig.assertDone(events);
        assertThat(node.destination.eventIds()).isEqualTo(Rig.ids(events));
    }

    @Test
    void goesToSeveralDestinationsByLeaseToo() {
        rig.settings = config -> config.withStrategy(ClaimStrategy.LEASE);
        rig.router = BOTH;
        RigNode node = rig.settled("a");
        node.elsewhere.answer(delivery -> delivery.attempt() < 3 ? DOWN : new Outcome.Delivered());
        List<EventEnvelope> events = rig.publishKeys(5);
        rig.passSeconds(30);

        rig.assertDone(events);
        assertThat(node.destination.eventIds()).containsExactlyInAnyOrderElementsOf(Rig.ids(events));
    }

    @Test
    void rejectsAnEventThatLacksWhatItsAddressIsMadeOf() {
        rig.router = RouteTable.builder()
                .otherwise(to("there", "tenant.{tenantId}"))
                .build()
                .router();
        RigNode node = rig.settled("a");
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(2);

        assertThat(rig.status(event)).isEqualTo(EventStatus.DEAD);
        assertThat(node.notified(RelayEvent.Died.class).get(0).reason())
                .contains("the event has no tenantId, which template \"tenant.{tenantId}\" needs");
        assertThat(node.destination.eventIds()).isEmpty();
    }

    // ---- drop ----------------------------------------------------------------------------------------------------

    @Test
    void dropsWhatIsToBeDroppedAndSaysWhy() {
        rig.router = RouteTable.builder()
                .drop("noise", Match.all(), "it is not read")
                .build()
                .router();
        RigNode node = rig.settled("a");
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(1);

        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
        assertThat(node.destination.eventIds()).isEmpty();
        assertThat(node.notified(RelayEvent.Dropped.class))
                .containsExactly(new RelayEvent.Dropped(event.eventId(), "noise", "it is not read"));
        assertThat(node.notified(RelayEvent.Delivered.class)).isEmpty();
    }

    @Test
    void hasNoDestinationOfThatName() {
        DestinationGate gate = new DestinationGate(
                "drop", new RecordingDestination(), DestinationConfig.defaults(), rig.time, event -> {});

        assertThatThrownBy(() -> new RelayContext(
                        RelayConfig.of("n"),
                        Router.everythingTo("drop"),
                        Map.of("drop", gate),
                        rig.time,
                        event -> {},
                        Pacing.MEASURED))
                .hasMessageContaining("must not be named drop");
    }

    // ---- changed while running -----------------------------------------------------------------------------------

    @Test
    void takesNewRoutesForWhatWaitsAndLetsWhatIsInFlightEnd() {
        ReplaceableRouter live = new ReplaceableRouter(Router.everythingTo("there"));
        rig.router = live;
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        List<EventEnvelope> events = rig.publish("k", 4);
        rig.passSeconds(1);
        assertThat(node.destination.eventIds()).hasSize(1);

        live.replace(Router.everythingTo("elsewhere"));
        node.relay.rerouted();
        rig.passSeconds(1);
        assertThat(node.elsewhere.eventIds())
                .as("the key's first event is still in flight")
                .isEmpty();

        node.destination.releaseAll();
        rig.passSeconds(2);

        assertThat(node.destination.eventIds()).isEqualTo(Rig.ids(events.subList(0, 1)));
        assertThat(node.elsewhere.eventIds()).isEqualTo(Rig.ids(events.subList(1, 4)));
        rig.assertDone(events);
        assertThat(node.notified(RelayEvent.Rerouted.class))
                .containsExactly(new RelayEvent.Rerouted(List.of("elsewhere to elsewhere")));
    }

    @Test
    void fetchesAtOnceAgainWhatHadNoRoute() {
        ReplaceableRouter live = new ReplaceableRouter(RouteTable.builder()
                .route("some", Match.all().eventType("Known"), to("there"))
                .build()
                .router());
        rig.router = live;
        RigNode node = rig.settled("a");
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(2);
        assertThat(rig.status(event)).isEqualTo(EventStatus.NEW);

        live.replace(Router.everythingTo("there"));
        node.relay.rerouted();
        rig.pass(Duration.ofMillis(100));

        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void letsARetryWaitForItsTimeThroughAChangeOfRoutes() {
        ReplaceableRouter live = new ReplaceableRouter(Router.everythingTo("there"));
        rig.router = live;
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> new Outcome.Retryable("later", Duration.ofSeconds(30)));
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(2);

        live.replace(Router.everythingTo("elsewhere"));
        node.relay.rerouted();
        rig.passSeconds(20);
        assertThat(node.elsewhere.eventIds()).isEmpty();
        rig.passSeconds(15);

        assertThat(node.elsewhere.eventIds()).containsExactly(event.eventId());
        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }

    private Map<String, Set<String>> acknowledged(List<EventEnvelope> events) {
        return rig.store.relayStore().acknowledged(Rig.ids(events));
    }
}
