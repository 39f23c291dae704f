package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import outbox.DestinationUnavailableException;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.TimeSource;
import outbox.spi.relay.RelayStores;
import outbox.testkit.InMemoryStore;
import outbox.testkit.RecordingDestination;
import outbox.testkit.StoreFixture.Session;
import outbox.testkit.World;

/** A relay that delivers to listeners. */
class RelayListenersTest {

    private final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);
    private final DefaultListenerRegistry registry = new DefaultListenerRegistry();
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Test
    void keepsTheOrderOfAKeyWhenAListenerFails() {
        AtomicBoolean failed = new AtomicBoolean();
        registry.registerAll(event -> {
            if (failed.compareAndSet(false, true)) {
                throw new IllegalStateException("not yet");
            }
            heard.add(event.eventId());
        });
        EventEnvelope[] events = {World.ofKey("k"), World.ofKey("k"), World.ofKey("k")};
        publish(events);

        try (Relay relay = relay().listeners(registry).build().start()) {
            World.await("all are delivered", () -> heard.size() == events.length);
            assertThat(heard).containsExactly(events[0].eventId(), events[1].eventId(), events[2].eventId());
            World.await("the last is done", () -> status(events[2]) == EventStatus.DONE);
            assertThat(relay.status().destinations()).containsOnlyKeys("listeners");
        }
    }

    @Test
    void aListenerWhoseReceiverIsUnavailableStopsOnlyItsTypeAndCostsNoAttempt() {
        AtomicBoolean away = new AtomicBoolean(true);
        registry.register("Mailed", event -> {
            if (away.get()) {
                throw new DestinationUnavailableException("SMTP is down", Duration.ofMillis(10));
            }
            heard.add(event.eventId());
        });
        registry.register("Counted", event -> heard.add(event.eventId()));
        EventEnvelope mailed = event("Mailed");
        publish(mailed);

        try (Relay relay = relay().listeners(registry).build().start()) {
            World.await(
                    "the outage is known",
                    () -> !relay.status()
                            .destinations()
                            .get("listeners")
                            .addresses()
                            .isEmpty());
            EventEnvelope counted = event("Counted");
            publish(counted);
            World.await("the other type continues", () -> heard.contains(counted.eventId()));

            away.set(false);
            World.await("the mail is delivered", () -> heard.contains(mailed.eventId()));
            World.await("it is done", () -> status(mailed) == EventStatus.DONE);
            assertThat(store.operatorStore()
                            .find(mailed.eventId())
                            .orElseThrow()
                            .state()
                            .attempts())
                    .isLessThanOrEqualTo(1);
        }
    }

    @Test
    void refusesASecondDestinationOfTheListenersName() {
        assertThatThrownBy(() -> relay().destination("listeners", new RecordingDestination())
                        .listeners(registry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two destinations named listeners");
    }

    private RelayBuilder relay() {
        return Relay.on(
                new RelayStores(store.relayStore(), store.clusterStore(), store.claimStore()),
                RelayConfig.of("first")
                        .withCluster(ClusterConfig.of("first")
                                .withHeartbeat(Duration.ofMillis(50), Duration.ofSeconds(10))));
    }

    private static EventEnvelope event(String type) {
        return EventEnvelope.builder(type).orderingKey(type).payloadJson("{}").build();
    }

    private void publish(EventEnvelope... events) {
        try (Session session = store.newSession()) {
            session.begin();
            OutboxClient.storeOnly(session.store()).publishAll(List.of(events));
            session.commit();
        }
    }

    private EventStatus status(EventEnvelope event) {
        return store.operatorStore().find(event.eventId()).orElseThrow().status();
    }
}
