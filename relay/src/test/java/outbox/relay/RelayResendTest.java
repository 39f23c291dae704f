package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.Outcome;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.observe.RecentDeliveries;
import outbox.relay.route.Match;
import outbox.relay.route.Route;
import outbox.relay.route.RouteTable;
import outbox.relay.route.RouteTable.Target;
import outbox.relay.route.Router;
import outbox.spi.DestinationTraits;
import outbox.spi.TimeSource;
import outbox.spi.relay.RelayStores;
import outbox.testkit.InMemoryStore;
import outbox.testkit.RecordingDestination;

/** Stored events are sent once more, next to what the relay does. */
class RelayResendTest {

    private static final Duration ENOUGH = Duration.ofSeconds(20);

    private final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);

    private static OutboxEvent event(int number, @Nullable String key) {
        Instant time = Instant.EPOCH;
        EventState state = new EventState(EventStatus.DONE, 0, time, time, time, time, null);
        return new OutboxEvent(
                "e-" + number, "OrderPlaced", "Order", null, null, key, "{}", null, null, time, null, state);
    }

    private static List<OutboxEvent> events(int count, int keys) {
        return IntStream.range(0, count)
                .mapToObj(n -> event(n, "k-" + n % keys))
                .toList();
    }

    private static List<String> ids(List<OutboxEvent> events) {
        return events.stream().map(OutboxEvent::eventId).toList();
    }

    private Relay relay(RecordingDestination destination, DestinationConfig treatment) {
        return Relay.on(
                        new RelayStores(store.relayStore(), store.clusterStore(), store.claimStore()),
                        RelayConfig.of("a"))
                .destination("there", destination, treatment)
                .build();
    }

    private Relay relay(RecordingDestination destination) {
        return relay(destination, DestinationConfig.defaults());
    }

    @Test
    void sendsAllInTheOrderOfEachKey() throws InterruptedException {
        RecordingDestination destination = new RecordingDestination(new DestinationTraits(2, 3, 3, 5, 1 << 20));
        List<OutboxEvent> events = events(20, 4);

        ResendResult result = relay(destination).resend(events, "there", ENOUGH);

        assertThat(result).isEqualTo(new ResendResult(20, null));
        assertThat(destination.eventIds()).containsExactlyInAnyOrderElementsOf(ids(events));
        for (int key = 0; key < 4; key++) {
            List<String> ofKey = new ArrayList<>();
            for (int n = key; n < 20; n += 4) {
                ofKey.add("e-" + n);
            }
            assertThat(destination.eventIds().stream().filter(ofKey::contains).toList())
                    .containsExactlyElementsOf(ofKey);
        }
    }

    @Test
    void endsWithTheFirstThatIsNotAcknowledgedAndSaysWhy() throws InterruptedException {
        RecordingDestination destination = new RecordingDestination(new DestinationTraits(1, 3, 3, 3, 1 << 20));
        destination.answer(delivery ->
                delivery.event().eventId().equals("e-4") ? new Outcome.Rejected("too large") : new Outcome.Delivered());

        ResendResult result = relay(destination).resend(events(10, 10), "there", ENOUGH);

        assertThat(result).isEqualTo(new ResendResult(4, "too large"));
        assertThat(destination.eventIds())
                .as("nothing is sent behind the failed call")
                .hasSize(6);
    }

    @Test
    void waitsNoLongerThanItMay() throws InterruptedException {
        RecordingDestination destination = new RecordingDestination();
        destination.delayAnswers();
        Relay relay = relay(destination);

        ResendResult result = relay.resend(events(2, 2), "there", Duration.ofMillis(50));

        assertThat(result).isEqualTo(new ResendResult(0, "it was not acknowledged in time"));
        assertThat(relay.gates().find("there").orElseThrow().status().eventsInFlight())
                .as("its room is free again")
                .isZero();
    }

    @Test
    void aRouterThatFailsKeepsNoRoom() {
        Relay relay = relay(new RecordingDestination());
        relay.reroute(new FailingRouter());

        assertThatThrownBy(() -> relay.resend(events(2, 2), "there", ENOUGH)).hasMessage("this router fails");

        DestinationGate gate = relay.gates().find("there").orElseThrow();
        assertThat(gate.status().eventsInFlight()).as("nothing is reserved").isZero();
    }

    @Test
    void whoIsInterruptedKeepsNoRoom() {
        RecordingDestination destination = new RecordingDestination();
        destination.delayAnswers();
        Relay relay = relay(destination);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> relay.resend(events(2, 2), "there", ENOUGH)).isInstanceOf(InterruptedException.class);

        DestinationGate gate = relay.gates().find("there").orElseThrow();
        assertThat(gate.status().eventsInFlight()).isZero();
    }

    private static final class FailingRouter implements Router {
        @Override
        public List<Route> route(OutboxEvent event) {
            throw new IllegalStateException("this router fails");
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
    }

    @Test
    void reportsThatTheDestinationIsPaused() throws InterruptedException {
        RecordingDestination destination = new RecordingDestination();
        Relay relay = relay(destination);
        relay.gates().find("there").orElseThrow().pause();

        ResendResult result = relay.resend(events(1, 1), "there", Duration.ofMillis(20));

        assertThat(result).isEqualTo(new ResendResult(0, "destination there is paused"));
        assertThat(destination.eventIds()).isEmpty();
    }

    @Test
    void goesToTheAddressOfTheRouteThatLeadsThere() throws InterruptedException {
        RecordingDestination destination = new RecordingDestination();
        List<String> addresses = new ArrayList<>();
        destination.answer(delivery -> {
            addresses.add(String.valueOf(delivery.address()));
            return new Outcome.Delivered();
        });
        Relay relay = relay(destination);
        relay.reroute(RouteTable.builder()
                .route("orders", Match.all().aggregateType("Order"), Target.to("there", "of.{aggregateType}"))
                .build()
                .router());

        relay.resend(events(1, 1), "there", ENOUGH);
        relay.reroute(RouteTable.builder()
                .drop("none", Match.all(), "not wanted")
                .build()
                .router());
        relay.resend(events(1, 1), "there", ENOUGH);

        assertThat(addresses).containsExactly("of.Order", "null");
    }

    @Test
    void knowsItsDestinations() {
        assertThatThrownBy(() -> relay(new RecordingDestination()).resend(events(1, 1), "nowhere", ENOUGH))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("there is no destination nowhere, the destinations are [there]");
    }

    @Test
    void showsTheLastErrorOfADestinationUntilItAnswers() throws InterruptedException {
        RecordingDestination destination = new RecordingDestination();
        Relay relay = relay(destination);
        destination.answer(delivery -> new Outcome.Retryable("broker is gone", null));
        relay.resend(events(1, 1), "there", ENOUGH);
        assertThat(relay.gates().find("there").orElseThrow().status().lastError())
                .isEqualTo("broker is gone");

        destination.answer(delivery -> new Outcome.Delivered());
        relay.resend(events(1, 1), "there", ENOUGH);

        assertThat(relay.gates().find("there").orElseThrow().status().lastError())
                .isNull();
    }

    @Test
    void remembersWhereTheLatestEventsHaveArrived() throws InterruptedException {
        RecordingDestination destination = new RecordingDestination();
        destination.answer(delivery -> delivery.event().eventId().equals("e-1")
                ? new Outcome.Rejected("no")
                : new Outcome.Delivered("orders", 3, 17));
        RecentDeliveries arrivals = new RecentDeliveries(() -> Instant.EPOCH);
        Relay relay = Relay.on(
                        new RelayStores(store.relayStore(), store.clusterStore(), store.claimStore()),
                        RelayConfig.of("a"))
                .destination("there", arrivals.remembering("there", destination))
                .build();

        relay.resend(events(2, 2), "there", ENOUGH);

        assertThat(arrivals.find("e-0"))
                .contains(new RecentDeliveries.Arrival(
                        "e-0", "there", new Outcome.Delivered("orders", 3, 17), Instant.EPOCH));
        assertThat(arrivals.find("e-1")).as("was refused").isEmpty();

        List<OutboxEvent> many = IntStream.range(10, 10 + RecentDeliveries.LATEST_MAX)
                .mapToObj(n -> event(n, "k-" + n))
                .toList();
        relay.resend(many, "there", ENOUGH);
        assertThat(arrivals.find("e-0")).as("the oldest is forgotten").isEmpty();
        assertThat(arrivals.find("e-10")).isPresent();
        assertThat(arrivals.find("e-" + (9 + RecentDeliveries.LATEST_MAX))).isPresent();
    }
}
