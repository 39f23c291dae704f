package outbox.micrometer;

import java.time.Duration;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.relay.DestinationConfig;
import outbox.relay.Relay;
import outbox.relay.RelayConfig;
import outbox.spi.TimeSource;
import outbox.spi.relay.RelayStores;
import outbox.testkit.InMemoryStore;
import outbox.testkit.RecordingDestination;
import outbox.testkit.StoreFixture.Session;

/** A relay with its threads, on a store in memory. */
final class OneRelay implements AutoCloseable {

    final InMemoryStore store = new InMemoryStore(TimeSource.SYSTEM);
    final RecordingDestination destination = new RecordingDestination();
    final Relay relay;

    OneRelay(RelayMeters meters, String destinationName) {
        relay = Relay.on(
                        new RelayStores(store.relayStore(), store.clusterStore(), store.claimStore()),
                        RelayConfig.of("node-1"))
                .destination(
                        destinationName,
                        destination,
                        DestinationConfig.defaults().withBreaker(2, Duration.ofHours(1), Duration.ofHours(1)))
                .listener(meters)
                .build();
        meters.bind(relay);
    }

    OneRelay start() {
        relay.start();
        return this;
    }

    EventEnvelope publish(String key) {
        EventEnvelope event = EventEnvelope.builder("OrderPlaced")
                .orderingKey(key)
                .payloadJson("{}")
                .build();
        try (Session session = store.newSession()) {
            session.begin();
            new OutboxClient(session.store(), relay.hotPath()).publish(event);
            session.commit();
        }
        return event;
    }

    @Override
    public void close() {
        relay.close();
    }
}
