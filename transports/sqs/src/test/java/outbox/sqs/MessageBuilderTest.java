package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.spi.Settings;

final class MessageBuilderTest {

    @Test
    void fillsTheQueueUnlessTheRouteNamesOne() {
        EventEnvelope event = sample().tenantId("north").build();

        assertThat(builder(Map.of("queue", "orders-{tenantId}"))
                        .message(0, new Delivery(event, 1))
                        .queue())
                .isEqualTo("orders-north");
        assertThat(builder(Map.of()).message(0, new Delivery(event, 1)).queue()).isEqualTo("OrderPlaced");
        assertThat(builder(Map.of())
                        .message(0, new Delivery(event, 1, "routed", 0))
                        .queue())
                .isEqualTo("routed");
    }

    @Test
    void setsGroupAndDeduplicationIdOnlyInAFifoQueue() {
        EventEnvelope event = sample().eventId("id-1").orderingKey("order-7").build();

        assertThat(builder(Map.of("queue", "orders.fifo"))
                        .message(0, new Delivery(event, 2))
                        .order())
                .isEqualTo(new SqsMessage.Order("order-7", "id-1"));
        assertThat(builder(Map.of("queue", "https://sqs/1/orders.fifo"))
                        .message(0, new Delivery(event, 2))
                        .order())
                .isNotNull();
        assertThat(builder(Map.of("queue", "orders"))
                        .message(0, new Delivery(event, 1))
                        .order())
                .isNull();
    }

    @Test
    void givesAnEventWithoutKeyItsOwnGroup() {
        EventEnvelope event = sample().eventId("id-1").build();

        assertThat(builder(Map.of("queue", "orders.fifo"))
                        .message(0, new Delivery(event, 1))
                        .order())
                .isEqualTo(new SqsMessage.Order("id-1", "id-1"));
    }

    @Test
    void usesADigestIfSqsRejectsTheKeyAsAGroup() {
        assertThat(MessageBuilder.id("a key")).startsWith("sha256-").isEqualTo(MessageBuilder.id("a key"));
        assertThat(MessageBuilder.id("a key")).isNotEqualTo(MessageBuilder.id("a  key"));
        assertThat(MessageBuilder.id("x".repeat(129))).hasSizeLessThan(129);
        assertThat(MessageBuilder.id("x".repeat(128))).hasSize(128);
        assertThat(MessageBuilder.id("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")).startsWith("!");
    }

    @Test
    void sendsBytesAsBase64AndMarksThem() {
        byte[] bytes = {0, 1, (byte) 255};
        EventEnvelope event = EventEnvelope.ofBytes("OrderPlaced", bytes);

        SqsMessage message = builder(Map.of()).message(0, new Delivery(event, 1));

        assertThat(Base64.getDecoder().decode(message.body())).isEqualTo(bytes);
        assertThat(message.attributes())
                .containsEntry("content-transfer-encoding", "base64")
                .containsEntry("content-type", "application/octet-stream");
    }

    @Test
    void refusesCharactersThatSqsRefuses() {
        EventEnvelope event = sample().payloadJson("{\"a\":\"\uFFFE\"}").build();

        assertThatThrownBy(() -> builder(Map.of()).message(0, new Delivery(event, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("U+FFFE at index 6");
    }

    @Test
    void takesCharactersBeyondTheFirstPlane() {
        EventEnvelope event = sample().payloadJson("{\"a\":\"\uD83D\uDC31\t\"}".replace("\t", "\\t"))
                .build();

        assertThat(builder(Map.of()).message(0, new Delivery(event, 1)).body()).isEqualTo(event.payloadJson());
    }

    @Test
    void countsAttributesWithTheBody() {
        EventEnvelope event =
                sample().payloadJson("\"" + "x".repeat(900) + "\"").build();
        long bytes = builder(Map.of("message-bytes-max", "4096"))
                .message(0, new Delivery(event, 1))
                .bytes();

        assertThat(bytes).isGreaterThan(1_024).isLessThan(2_048);
        assertThatThrownBy(() -> builder(Map.of("message-bytes-max", "1024", "queue", "orders"))
                        .message(0, new Delivery(event, 1)))
                .hasMessageContaining("the message for queue orders has " + bytes + " bytes")
                .hasMessageContaining("allowed are 1024");
    }

    @Test
    void refusesAnEventWithoutTheValueThatTheQueueNeeds() {
        assertThatThrownBy(() -> builder(Map.of("queue", "{tenantId}")).message(0, new Delivery(sample().build(), 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tenantId");
    }

    @Test
    void addsTheKeyIfTheFormDoesNot() {
        EventEnvelope event = sample().orderingKey("order-7").build();

        assertThat(builder(Map.of()).message(0, new Delivery(event, 1)).attributes())
                .containsEntry("outbox-key", "order-7");
        assertThat(builder(Map.of("form", "cloudevents"))
                        .message(0, new Delivery(event, 1))
                        .attributes())
                .containsEntry("ce-partitionkey", "order-7")
                .doesNotContainKey("outbox-key");
    }

    @Test
    void ignoresEventHeadersThatDescribeTheMessage() {
        EventEnvelope event = sample().header("content-type", "text/plain")
                .header("outbox-event-id", "another")
                .header("outbox-key", "another")
                .orderingKey("order-7")
                .build();

        assertThat(builder(Map.of()).message(0, new Delivery(event, 1)).attributes())
                .containsEntry("content-type", "application/json")
                .containsEntry("outbox-event-id", event.eventId())
                .containsEntry("outbox-key", "order-7");
    }

    @Test
    void fitsACloudEventWithEverythingIntoTenAttributes() {
        EventEnvelope event = sample().aggregateType("Order")
                .aggregateId("order-7")
                .tenantId("north")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .build();

        Map<String, String> attributes = builder(Map.of("form", "cloudevents", "source", "/shop"))
                .message(0, new Delivery(event, 1))
                .attributes();

        assertThat(attributes)
                .hasSize(10)
                .containsKeys("ce-specversion", "ce-id", "ce-source", "ce-type", "ce-subject", "ce-time")
                .containsEntry("content-type", "application/json");
        assertThat(attributes.get(Attributes.HEADERS)).contains("traceparent", "ce-attempt");
    }

    private static EventEnvelope.Builder sample() {
        return EventEnvelope.builder("OrderPlaced").payloadJson("{}");
    }

    private static MessageBuilder builder(Map<String, String> settings) {
        return new MessageBuilder(SqsConfig.from(new Settings("destination orders", "orders", settings)));
    }
}
