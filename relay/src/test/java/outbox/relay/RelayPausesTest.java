package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.internal.KeyHash;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.Outcome;
import outbox.relay.observe.RelayEvent;
import outbox.relay.route.Route;
import outbox.relay.route.Router;
import outbox.spi.relay.Pause;

/** What an operator pauses, and how it continues. */
class RelayPausesTest {

    private final Rig rig = new Rig();

    @Test
    void stopsTheWholeSource() {
        RigNode node = rig.settled("a");
        rig.pause(Pause.Kind.SOURCE, "");
        rig.passSeconds(2);
        List<EventEnvelope> events = rig.publishKeys(20);
        rig.passSeconds(5);
        assertThat(node.destination.eventIds()).isEmpty();

        rig.resume(Pause.Kind.SOURCE, "");
        rig.passSeconds(2);

        rig.assertDeliveredOnce(events);
        assertThat(node.notified(RelayEvent.Paused.class)).hasSize(1);
        assertThat(node.notified(RelayEvent.Resumed.class)).hasSize(1);
    }

    @Test
    void stopsOnePartition() {
        RigNode node = rig.settled("a");
        rig.pause(Pause.Kind.PARTITION, "3");
        rig.passSeconds(2);
        List<EventEnvelope> events = rig.publishKeys(60);
        rig.passSeconds(5);

        assertThat(events)
                .allMatch(event -> (rig.status(event) == EventStatus.NEW)
                        == (KeyHash.of(String.valueOf(event.orderingKey())) % 6 == 3));
        rig.resume(Pause.Kind.PARTITION, "3");
        rig.passSeconds(2);
        rig.assertDeliveredOnce(events);
        assertThat(node.notified(RelayEvent.PartFailed.class)).isEmpty();
    }

    @Test
    void stopsOneKey() {
        RigNode node = rig.settled("a");
        rig.pause(Pause.Kind.KEY, "k");
        rig.passSeconds(2);
        List<EventEnvelope> held = rig.publish("k", 3);
        EventEnvelope other = rig.publish("other");
        rig.passSeconds(5);
        assertThat(node.destination.eventIds()).containsExactly(other.eventId());

        rig.resume(Pause.Kind.KEY, "k");
        rig.passSeconds(2);

        rig.assertDone(held);
        assertThat(node.destination.eventIds().subList(1, 4)).containsExactlyElementsOf(Rig.ids(held));
    }

    @Test
    void pausesAKeyWithoutDisturbingItsDeliveryInFlight() {
        RigNode node = rig.settled("a");
        node.destination.delayAnswers();
        List<EventEnvelope> events = rig.publish("k", 3);
        rig.passSeconds(1);
        rig.pause(Pause.Kind.KEY, "k");
        rig.passSeconds(2);
        node.destination.releaseAll();
        rig.passSeconds(3);
        assertThat(rig.status(events.get(0))).isEqualTo(EventStatus.DONE);
        assertThat(rig.status(events.get(1))).isEqualTo(EventStatus.NEW);

        rig.resume(Pause.Kind.KEY, "k");
        rig.passSeconds(2);
        rig.assertDeliveredOnce(events);
    }

    @Test
    void stopsOneDestination() {
        twoRoutes();
        RigNode node = rig.settled("a");
        rig.pause(Pause.Kind.DESTINATION, "there");
        rig.passSeconds(2);
        EventEnvelope held = rig.publish("there-1");
        EventEnvelope free = rig.publish("elsewhere-1");
        rig.passSeconds(5);
        assertThat(rig.status(held)).isEqualTo(EventStatus.NEW);
        assertThat(rig.status(free)).isEqualTo(EventStatus.DONE);
        assertThat(node.destination.eventIds()).isEmpty();

        rig.resume(Pause.Kind.DESTINATION, "there");
        rig.passSeconds(2);
        assertThat(rig.status(held)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void stopsOneRoute() {
        twoRoutes();
        RigNode node = rig.settled("a");
        rig.pause(Pause.Kind.ROUTE, "elsewhere");
        rig.passSeconds(2);
        EventEnvelope free = rig.publish("there-1");
        EventEnvelope held = rig.publish("elsewhere-1");
        rig.passSeconds(5);
        assertThat(rig.status(held)).isEqualTo(EventStatus.NEW);
        assertThat(rig.status(free)).isEqualTo(EventStatus.DONE);
        assertThat(node.elsewhere.eventIds()).isEmpty();

        rig.resume(Pause.Kind.ROUTE, "elsewhere");
        rig.passSeconds(2);
        assertThat(rig.status(held)).isEqualTo(EventStatus.DONE);
    }

    @Test
    void pausesForANodeThatStartsLater() {
        rig.pause(Pause.Kind.KEY, "k");
        rig.pause(Pause.Kind.DESTINATION, "elsewhere");
        rig.publish("k");
        EventEnvelope other = rig.publish("other");
        RigNode node = rig.settled("a");

        assertThat(node.destination.eventIds()).containsExactly(other.eventId());
    }

    @Test
    void keepsAPauseWhenAPartitionMoves() {
        rig.settled("a");
        rig.pause(Pause.Kind.KEY, "k");
        rig.passSeconds(2);
        rig.publish("k");
        RigNode b = rig.settled("b");
        rig.passSeconds(3);

        assertThat(b.loops()).isNotEmpty();
        assertThat(rig.deliveredIds()).isEmpty();
    }

    @Test
    void restsWhileARetryComesDueInAPausedSource() {
        RigNode node = rig.settled("a");
        node.destination.answer(delivery -> delivery.attempt() == 1
                ? new Outcome.Retryable("later", Duration.ofSeconds(5))
                : new Outcome.Delivered());
        EventEnvelope event = rig.publish("k");
        rig.passSeconds(1);
        rig.pause(Pause.Kind.SOURCE, "");
        rig.passSeconds(10); // The rig finds loops that do not rest.

        rig.resume(Pause.Kind.SOURCE, "");
        rig.passSeconds(2);
        assertThat(rig.status(event)).isEqualTo(EventStatus.DONE);
    }

    /** Keys name the routes of their events. */
    private void twoRoutes() {
        Route there = Route.to("there");
        Route elsewhere = Route.to("elsewhere");
        rig.router = new Router() {
            @Override
            public List<Route> route(OutboxEvent event) {
                return List.of(String.valueOf(event.orderingKey()).startsWith("there") ? there : elsewhere);
            }

            @Override
            public List<Route> routes() {
                return List.of(there, elsewhere);
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
