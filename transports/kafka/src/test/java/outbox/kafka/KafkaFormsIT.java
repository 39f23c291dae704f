package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;

/** Checks the messages that consumers find in a topic. */
@Timeout(120)
final class KafkaFormsIT {

    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final String JSON = "{\"total\": 7}";

    private final Cluster cluster = Cluster.plain();

    @Test
    void plainFormHasThePayloadAndHeaders() {
        ConsumerRecord<byte[], byte[]> message = received(Map.of());

        assertThat(text(message.key())).isEqualTo("customer-1");
        assertThat(text(message.value())).isEqualTo(JSON);
        assertThat(Cluster.headers(message))
                .containsEntry("content-type", "application/json")
                .containsEntry("outbox-event-id", "event-1")
                .containsEntry("outbox-event-type", "OrderPlaced")
                .containsEntry("outbox-aggregate-type", "Order")
                .containsEntry("outbox-aggregate-id", "order-1")
                .containsEntry("outbox-tenant-id", "north")
                .containsEntry("outbox-occurred-at", TIME.toString())
                .containsEntry("outbox-attempt", "2")
                .containsEntry("shop", "Köln");
    }

    @Test
    void cloudEventsHaveAttributesAsHeaders() {
        ConsumerRecord<byte[], byte[]> message = received(Map.of("form", "cloudevents", "source", "/shop"));

        assertThat(text(message.value())).isEqualTo(JSON);
        assertThat(Cluster.headers(message))
                .containsEntry("content-type", "application/json")
                .containsEntry("ce_specversion", "1.0")
                .containsEntry("ce_id", "event-1")
                .containsEntry("ce_type", "OrderPlaced")
                .containsEntry("ce_source", "/shop")
                .containsEntry("ce_subject", "order-1")
                .containsEntry("ce_time", TIME.toString())
                .containsEntry("ce_partitionkey", "customer-1")
                .containsEntry("shop", "Köln");
    }

    @Test
    void structuredCloudEventsAreOneDocument() {
        ConsumerRecord<byte[], byte[]> message = received(Map.of("form", "cloudevents-structured"));

        assertThat(Cluster.headers(message)).containsEntry("content-type", "application/cloudevents+json");
        assertThat(text(message.value()))
                .startsWith("{")
                .contains("\"id\":\"event-1\"", "\"type\":\"OrderPlaced\"", "\"data\":" + JSON);
    }

    @Test
    void debeziumsConsumersFindWhatItsRouterWrites() {
        String topic = cluster.createTopic(1);
        String aggregateType = topic.replace("topic-", "T");
        String routed = cluster.createTopic("outbox.event." + aggregateType, 1, Map.of());
        try (Destination destination = cluster.destination(Map.of("form", "debezium-outbox"))) {
            EventEnvelope event = event().aggregateType(aggregateType).build();

            assertThat(Outcomes.of(destination, event).get(0)).isEqualTo(new Outcome.Delivered(routed, 0, 0));
        }
        ConsumerRecord<byte[], byte[]> message = cluster.received(routed, 1).get(0);
        assertThat(text(message.key())).isEqualTo("order-1");
        assertThat(text(message.value())).isEqualTo(JSON);
        assertThat(Cluster.headers(message))
                .containsEntry("id", "event-1")
                .containsEntry("eventType", "OrderPlaced")
                .doesNotContainKey("content-type");
    }

    private ConsumerRecord<byte[], byte[]> received(Map<String, String> settings) {
        String topic = cluster.createTopic(1);
        Map<String, String> all = new HashMap<>(settings);
        all.put("topic", topic);
        try (Destination destination = cluster.destination(all)) {
            Delivery delivery = new Delivery(event().build(), 2);
            assertThat(Outcomes.of(destination, List.of(delivery)).get(0)).isInstanceOf(Outcome.Delivered.class);
        }
        return cluster.received(topic, 1).get(0);
    }

    private static EventEnvelope.Builder event() {
        return EventEnvelope.builder("OrderPlaced")
                .eventId("event-1")
                .aggregateType("Order")
                .aggregateId("order-1")
                .tenantId("north")
                .orderingKey("customer-1")
                .occurredAt(TIME)
                .header("shop", "Köln")
                .payloadJson(JSON);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
