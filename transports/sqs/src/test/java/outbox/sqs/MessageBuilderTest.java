package outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.spi.Settings;

final class MessageFormerTest {

    @Test
    void fillsTheQueueUnlessTheRouteNamesOne() {
        EventEnvelope event = sample().tenantId("north").build();

        assertThat(former(Map.of("queue", "orders-{tenantId}"))
                        .message(0, new Delivery(event, 1))
                        .queue())
                .isEqualTo("orders-north");
        assertThat(former(Map.of()).message(0, new Delivery(event, 1)).queue()).isEqualTo("OrderPlaced");
        assertThat(former(Map.of())
                        .message(0, new Delivery(event, 1, "routed", 0))
                        .queue())
                .isEqualTo("routed");
    }

    @Test
    void ordersByTheKeyAndTellsDuplicatesByTheIdInAFifoQueueAlone() {
        EventEnvelope event = sample().eventId("id-1").orderingKey("order-7").build();

        assertThat(former(Map.of("queue", "orders.fifo"))
                        .message(0, new Delivery(event, 2))
                        .order())
                .isEqualTo(new SqsMessage.Order("order-7", "id-1"));
        assertThat(former(Map.of("queue", "https://sqs/1/orders.fifo"))
                        .message(0, new Delivery(event, 2))
                        .order())
                .isNotNull();
        assertThat(former(Map.of("queue", "orders"))
                        .message(0, new Delivery(event, 1))
                        .order())
                .isNull();
    }

    @Test
    void givesAnEventWithoutKeyAGroupOfItsOwn() {
        EventEnvelope event = sample().eventId("id-1").build();

        assertThat(former(Map.of("queue", "orders.fifo"))
                        .message(0, new Delivery(event, 1))
                        .order())
                .isEqualTo(new SqsMessage.Order("id-1", "id-1"));
    }

    @Test
    void usesADigestWhereSqsRefusesTheKeyAsAGroup() {
        assertThat(MessageFormer.id("a key")).startsWith("sha256-").isEqualTo(MessageFormer.id("a key"));
        assertThat(MessageFormer.id("a key")).isNotEqualTo(MessageFormer.id("a  key"));
        assertThat(MessageFormer.id("x".repeat(129))).hasSizeLessThan(129);
        assertThat(MessageFormer.id("x".repeat(128))).hasSize(128);
        assertThat(MessageFormer.id("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")).startsWith("!");
    }

    @Test
    void sendsBytesAsBase64AndSaysSo() {
        byte[] bytes = {0, 1, (byte) 255};
        EventEnvelope event = EventEnvelope.ofBytes("OrderPlaced", bytes);

        SqsMessage message = former(Map.of()).message(0, new Delivery(event, 1));

        assertThat(Base64.getDecoder().decode(message.body())).isEqualTo(bytes);
        assertThat(message.attributes())
                .containsEntry("content-transfer-encoding", "base64")
                .containsEntry("content-type", "application/octet-stream");
    }

    @Test
    void refusesCharactersThatSqsRefuses() {
        EventEnvelope event = sample().payloadJson("{\"a\":\"\uFFFE\"}").build();

        assertThatThrownBy(() -> former(Map.of()).message(0, new Delivery(event, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("U+FFFE at index 6");
    }

    @Test
    void takesCharactersBeyondTheFirstPlane() {
        EventEnvelope event = sample().payloadJson("{\"a\":\"\uD83D\uDC31\t\"}".replace("\t", "\\t"))
                .build();

        assertThat(former(Map.of()).message(0, new Delivery(event, 1)).body()).isEqualTo(event.payloadJson());
    }

    @Test
    void countsAttributesWithTheBody() {
        EventEnvelope event =
                sample().payloadJson("\"" + "x".repeat(900) + "\"").build();
        long bytes = former(Map.of("message-bytes-max", "4096"))
                .message(0, new Delivery(event, 1))
                .bytes();

        assertThat(bytes).isGreaterThan(1_024).isLessThan(2_048);
        assertThatThrownBy(() -> former(Map.of("message-bytes-max", "1024", "queue", "orders"))
                        .message(0, new Delivery(event, 1)))
                .hasMessageContaining("the message for queue orders has " + bytes + " bytes")
                .hasMessageContaining("allowed are 1024");
    }

    @Test
    void refusesAnEventThatLacksWhatTheQueueIsNamedBy() {
        assertThatThrownBy(() -> former(Map.of("queue", "{tenantId}")).message(0, new Delivery(sample().build(), 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tenantId");
    }

    @Test
    void carriesTheKeyWhereTheFormDoesNot() {
        EventEnvelope event = sample().orderingKey("order-7").build();

        assertThat(former(Map.of()).message(0, new Delivery(event, 1)).attributes())
                .containsEntry("outbox-key", "order-7");
        assertThat(former(Map.of("form", "cloudevents"))
                        .message(0, new Delivery(event, 1))
                        .attributes())
                .containsEntry("ce-partitionkey", "order-7")
                .doesNotContainKey("outbox-key");
    }

    @Test
    void letsNoHeaderOfTheEventDescribeTheMessage() {
        EventEnvelope event = sample().header("content-type", "text/plain")
                .header("outbox-event-id", "another")
                .header("outbox-key", "another")
                .orderingKey("order-7")
                .build();

        assertThat(former(Map.of()).message(0, new Delivery(event, 1)).attributes())
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

        Map<String, String> attributes = former(Map.of("form", "cloudevents", "source", "/shop"))
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

    private static MessageFormer former(Map<String, String> settings) {
        return new MessageFormer(SqsConfig.from(new Settings("destination orders", "orders", settings)));
    }
}
