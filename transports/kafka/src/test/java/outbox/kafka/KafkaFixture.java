package outbox.kafka;

import catbox.devservices.KafkaLogin;
import catbox.devservices.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.spi.Destination;
import outbox.testkit.TransportFixture;

/** A separate topic on a broker that requires TLS and a user. */
final class KafkaFixture implements TransportFixture {

    private final Cluster cluster = Cluster.secured();
    private final String topic = cluster.createTopic(3);
    private final Map<String, String> settings = new HashMap<>();
    private Destination destination;
    private boolean down;
    private boolean frozen;

    KafkaFixture(Map<String, String> further) {
        settings.put("topic", topic);
        settings.put("property.request.timeout.ms", "1500");
        settings.put("property.delivery.timeout.ms", "3000");
        settings.put("property.max.block.ms", "2000");
        settings.putAll(further);
    }

    @Override
    public Destination destination() {
        if (destination == null) {
            destination = cluster.destination(KafkaServer.SCRAM_USER, settings);
        }
        return destination;
    }

    @Override
    public Destination withRefusedCredentials() {
        KafkaLogin right = KafkaServer.SCRAM_USER;
        return cluster.destination(new KafkaLogin(right.mechanism(), right.user(), WRONG_SECRET), settings);
    }

    @Override
    public List<Received> received(int atLeast) {
        return cluster.received(topic, atLeast).stream()
                .map(message -> Received.of(
                        Objects.requireNonNull(Cluster.header(message, "outbox-event-id")),
                        message.key() == null ? null : new String(message.key(), StandardCharsets.UTF_8),
                        message.value(),
                        Cluster.headers(message)))
                .toList();
    }

    @Override
    public void stopBroker() {
        cluster.broker().kill();
        down = true;
    }

    @Override
    public void startBroker() {
        cluster.broker().start();
        down = false;
    }

    @Override
    public void freezeBroker() {
        cluster.broker().pause();
        frozen = true;
    }

    @Override
    public void thawBroker() {
        cluster.broker().resume();
        frozen = false;
    }

    @Override
    public EventEnvelope oversized() {
        return EventEnvelope.builder("OrderPlaced")
                .orderingKey("large")
                .payloadBytes(new byte[1 << 20])
                .build();
    }

    @Override
    public Delivery refused(EventEnvelope event) {
        return new Delivery(event, 1, topic + "-that-does-not-exist", Delivery.NO_PARTITION);
    }

    @Override
    public Duration answersWithin() {
        return Duration.ofSeconds(10);
    }

    @Override
    public void close() {
        if (destination != null) {
            destination.close();
        }
        if (frozen) {
            thawBroker();
        }
        if (down) {
            startBroker();
        }
    }
}
