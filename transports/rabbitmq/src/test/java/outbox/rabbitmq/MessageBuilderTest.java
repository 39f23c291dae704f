package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.spi.Settings;

final class MessageBuilderTest {

    @Test
    void setsTheProperties() {
        EventEnvelope event = sample().eventId("id-1")
                .occurredAt(Instant.parse("2026-01-02T03:04:05Z"))
                .aggregateId("order-7")
                .build();

        AMQP.BasicProperties properties = properties(event, Map.of());

        assertThat(properties.getMessageId()).isEqualTo("id-1");
        assertThat(properties.getType()).isEqualTo("OrderPlaced");
        assertThat(properties.getTimestamp()).isEqualTo(Date.from(Instant.parse("2026-01-02T03:04:05Z")));
        assertThat(properties.getContentType()).isEqualTo("application/json");
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(properties.getHeaders())
                .containsEntry("outbox-event-id", "id-1")
                .containsEntry("outbox-key", "order-7");
        assertThat(properties(event, Map.of("persistent", "false")).getDeliveryMode())
                .isEqualTo(1);
    }

    @Test
    void keepsBinaryPayloadsUnchanged() {
        AmqpMessage message =
                builder(Map.of()).message(new Delivery(EventEnvelope.ofBytes("OrderPlaced", new byte[] {0, -1}), 1));

        assertThat(message.body()).containsExactly(0, -1);
        assertThat(message.properties().getContentType()).isEqualTo("application/octet-stream");
    }

    @Test
    void writesCloudEvents() {
        EventEnvelope event = sample().aggregateId("order-7").build();

        assertThat(properties(event, Map.of("form", "cloudevents", "source", "/shop"))
                        .getHeaders())
                .containsEntry("cloudEvents_id", event.eventId())
                .containsEntry("cloudEvents_source", "/shop")
                .containsEntry("cloudEvents_partitionkey", "order-7")
                .doesNotContainKey("outbox-key");
        assertThat(properties(event, Map.of("form", "cloudevents-structured")).getContentType())
                .isEqualTo("application/cloudevents+json");
    }

    @Test
    void refusesHeadersThatExceedTheProtocolsLimit() {
        assertThatThrownBy(() ->
                        properties(sample().header("n".repeat(256), "v").build(), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256 bytes, allowed are 255");
        Map<String, String> many = new TreeMap<>();
        for (int n = 0; n < 16_000; n++) {
            many.put(Integer.toString(n, 36), "");
        }
        assertThatThrownBy(() -> properties(sample().headers(many).build(), Map.of()))
                .hasMessageContaining("the headers have");
    }

    @Test
    void refusesHeadersThatWouldEndTheChannel() {
        for (String name : List.of("CC", "BCC")) {
            EventEnvelope event = sample().header(name, "finance").build();

            assertThatThrownBy(() -> properties(event, Map.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the header " + name + " means further routing keys to RabbitMQ");
        }
        EventEnvelope other = sample().header("cc", "finance").build();

        assertThat(properties(other, Map.of()).getHeaders()).containsEntry("cc", "finance");
    }

    @Test
    void leavesOutATooLongType() {
        EventEnvelope event = EventEnvelope.ofJson("é".repeat(128), "{}");

        AMQP.BasicProperties properties = builder(Map.of("routing-key", "queue"))
                .message(new Delivery(event, 1))
                .properties();

        assertThat(properties.getType()).isNull();
        assertThat(properties.getHeaders()).containsEntry("outbox-event-type", "é".repeat(128));
    }

    private static AMQP.BasicProperties properties(EventEnvelope event, Map<String, String> settings) {
        return builder(settings).message(new Delivery(event, 1)).properties();
    }

    private static EventEnvelope.Builder sample() {
        return EventEnvelope.builder("OrderPlaced").payloadJson("{}");
    }

    private static MessageBuilder builder(Map<String, String> settings) {
        return new MessageBuilder(RabbitMqConfig.from(new Settings("destination orders", "orders", settings)));
    }
}
