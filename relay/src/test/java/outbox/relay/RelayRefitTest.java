package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.EventStatus;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayEvent.DestinationChanged;
import outbox.relay.observe.RelayEvent.DestinationChanged.Change;
import outbox.relay.route.RouteTable;
import outbox.relay.route.Router;
import outbox.spi.TimeSource;
import outbox.spi.relay.Pause;
import outbox.spi.relay.RelayStores;
import outbox.testkit.InMemoryStore;
import outbox.testkit.RecordingDestination;
import outbox.testkit.StoreFixture.Session;
import outbox.testkit.World;

/** Destinations and pauses that are changed while the relay works. */
class RelayRefitTest {

    private static final Pause.Subject THERE = new Pause.Subject(Pause.Kind.DESTINATION, "there");

    private final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);
    private final RecordingDestination former = new RecordingDestination();
    private final RecordingDestination next = new RecordingDestination();
    private final List<RelayEvent> events = new CopyOnWriteArrayList<>();
    private final Relay relay = Relay.on(
                    new RelayStores(store.relayStore(), store.clusterStore(), store.claimStore()),
                    RelayConfig.of("node")
                            .withCluster(ClusterConfig.of("node")
                                    .withHeartbeat(Duration.ofMillis(50), Duration.ofSeconds(10))))
            .destination("there", former)
            .listener(events::add)
            .build()
            .start();

    @AfterEach
    void close() {
        relay.close();
    }

    @Test
    void replacesADestinationAndLetsWhatIsInFlightEndAtTheFormerOne() {
        former.delayAnswers();
        EventEnvelope first = publish("k");
        World.await("it is in flight", () -> !former.delayed().isEmpty());
        EventEnvelope second = publish("k");
        EventEnvelope other = publish("other");
        World.await("the other key is in flight, too", () -> former.delayed().size() == 2);

        relay.destination("there", next, DestinationConfig.defaults());
        EventEnvelope later = publish("later");
        awaitDone(later);
        assertThat(next.eventIds()).containsExactly(later.eventId());
        assertThat(former.isClosed()).as("it still has calls in flight").isFalse();
        former.releaseAll();
        awaitDone(second);

        assertThat(former.eventIds()).containsExactly(first.eventId(), other.eventId());
        assertThat(next.eventIds()).containsExactly(later.eventId(), second.eventId());
        World.await("the former one is closed", former::isClosed);
        assertThat(events).contains(new DestinationChanged("there", Change.REPLACED));
    }

    @Test
    void addsADestinationThatRoutesCanLeadToThen() {
        relay.destination("elsewhere", next, DestinationConfig.defaults());
        relay.reroute(Router.everythingTo("elsewhere"));
        EventEnvelope event = publish("k");
        awaitDone(event);
        relay.removeDestination("there");

        assertThat(next.eventIds()).containsExactly(event.eventId());
        World.await("the one that is gone is closed", former::isClosed);
        assertThat(relay.gates().names()).containsExactly("elsewhere");
        assertThat(events)
                .contains(
                        new DestinationChanged("elsewhere", Change.ADDED),
                        new DestinationChanged("there", Change.REMOVED));
    }

    /** The event returns from the first destination, to be forwarded to one that is gone. */
    @Test
    void findsAnotherRouteForWhatIsForwardedToADestinationThatWasRemovedMeanwhile() {
        relay.destination("second", next, DestinationConfig.defaults());
        relay.reroute(RouteTable.builder()
                .otherwise(RouteTable.Target.to("there"), RouteTable.Target.to("second"))
                .build()
                .router());
        former.delayAnswers();
        EventEnvelope first = publish("k");
        EventEnvelope behind = publish("k");
        World.await("it is in flight", () -> !former.delayed().isEmpty());

        relay.reroute(Router.everythingTo("there"));
        relay.removeDestination("second");
        former.releaseAll();
        awaitDone(first);
        awaitDone(behind);

        assertThat(former.eventIds()).containsExactly(first.eventId(), behind.eventId());
        assertThat(next.eventIds()).isEmpty();
    }

    @Test
    void closesAFormerDestinationThatNeverAnswersWhenItClosesItself() {
        former.delayAnswers();
        publish("k");
        World.await("it is in flight", () -> !former.delayed().isEmpty());
        relay.destination("there", next, DestinationConfig.defaults());

        former.releaseAll();
        relay.close();

        assertThat(former.isClosed()).isTrue();
        assertThat(next.isClosed()).isTrue();
    }

    @Test
    void refusesToRemoveWhatARouteLeadsToAndWhatThereIsNot() {
        assertThatThrownBy(() -> relay.removeDestination("there"))
                .hasMessageContaining("destination there cannot be removed: route there leads to it");
        assertThatThrownBy(() -> relay.removeDestination("nowhere"))
                .hasMessageContaining("there is no destination nowhere to remove, the destinations are [there]");
        assertThatThrownBy(() -> relay.destination("drop", next, DestinationConfig.defaults()))
                .hasMessageContaining("must not be named drop");
        assertThatThrownBy(() -> relay.reroute(Router.everythingTo("nowhere")))
                .hasMessageContaining("route nowhere leads to destination nowhere, and the destinations are [there]");
    }

    @Test
    void pausesWhatItsConfigurationSaysAndGoesOnWhenItDoesNotSayItAnyMore() {
        relay.pause(Map.of(THERE, "set in the file"));
        World.await(
                "it is paused",
                () -> events.stream()
                        .anyMatch(event -> event instanceof RelayEvent.Paused held
                                && held.pause().subject().equals(THERE)
                                && held.pause().reason().equals("set in the file")));
        EventEnvelope event = publish("k");
        World.await("it was read", () -> relay.node().eventsInMemory() == 1);
        relay.destination("there", next, DestinationConfig.defaults());
        assertThat(relay.gates().all()).allMatch(DestinationGate::isPaused);
        awaitHeartbeats();
        assertThat(next.eventIds()).as("the new one is paused as well").isEmpty();

        relay.pause(Map.of());
        awaitDone(event);

        assertThat(events).contains(new RelayEvent.Resumed(THERE));
        assertThat(next.eventIds()).containsExactly(event.eventId());
    }

    private void awaitHeartbeats() {
        long seen = heartbeats();
        World.await("a few heartbeats pass", () -> heartbeats() > seen + 3);
    }

    private long heartbeats() {
        return events.stream()
                .filter(RelayEvent.HeartbeatSent.class::isInstance)
                .count();
    }

    private EventEnvelope publish(String key) {
        EventEnvelope event = World.ofKey(key);
        try (Session session = store.newSession()) {
            session.begin();
            OutboxClient.storeOnly(session.store()).publish(event);
            session.commit();
        }
        return event;
    }

    private void awaitDone(EventEnvelope event) {
        World.await(
                "it is done",
                () -> store.operatorStore().find(event.eventId()).orElseThrow().status() == EventStatus.DONE);
    }
}
