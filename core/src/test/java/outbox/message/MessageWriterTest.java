package outbox.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.spi.Settings;
import outbox.util.JsonCodec;

final class MessageWriterTest {

    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static EventEnvelope.Builder full() {
        return EventEnvelope.builder("OrderPlaced")
                .eventId("id-1")
                .aggregateType("Order")
                .aggregateId("o-1")
                .tenantId("acme")
                .orderingKey("k-1")
                .occurredAt(Instant.parse("2026-01-02T03:04:05Z"))
                .header("traceparent", TRACE)
                .header("My-Own", "é")
                .payloadJson("{\"a\": 1}");
    }

    private static Message write(MessageForm form, EventEnvelope event) {
        return new MessageWriter(form, "/shop", "ce_").write(new Delivery(event, 3));
    }

    @Test
    void plainHasThePayloadAndWhatTheEventIs() {
        Message message = write(MessageForm.PLAIN, full().build());

        assertThat(message.key()).isEqualTo("k-1");
        assertThat(message.text()).isEqualTo("{\"a\": 1}");
        assertThat(message.contentType()).isEqualTo("application/json");
        assertThat(message.headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "traceparent", TRACE,
                        "My-Own", "é",
                        "outbox-event-id", "id-1",
                        "outbox-event-type", "OrderPlaced",
                        "outbox-aggregate-type", "Order",
                        "outbox-aggregate-id", "o-1",
                        "outbox-tenant-id", "acme",
                        "outbox-occurred-at", "2026-01-02T03:04:05Z",
                        "outbox-attempt", "3"));
    }

    @Test
    void plainLeavesOutWhatTheEventLacks() {
        Message message = write(MessageForm.PLAIN, EventEnvelope.ofJson("T", "1"));

        assertThat(message.key()).isNull();
        assertThat(message.headers().keySet())
                .containsExactlyInAnyOrder(
                        "outbox-event-id", "outbox-event-type", "outbox-occurred-at", "outbox-attempt");
    }

    @Test
    void aHeaderOfTheFormWinsOverTheEventsOwn() {
        EventEnvelope forged = full().header("outbox-event-id", "forged")
                .header("ce_id", "forged")
                .header("id", "forged")
                .header("eventType", "forged")
                .build();

        assertThat(write(MessageForm.PLAIN, forged).headers()).containsEntry("outbox-event-id", "id-1");
        assertThat(write(MessageForm.CLOUDEVENTS, forged).headers()).containsEntry("ce_id", "id-1");
        assertThat(write(MessageForm.DEBEZIUM_OUTBOX, forged).headers())
                .containsEntry("id", "id-1")
                .containsEntry("eventType", "OrderPlaced");
    }

    @Test
    void cloudEventsInBinaryModeHaveAttributesAsHeaders() {
        Message message = write(MessageForm.CLOUDEVENTS, full().build());

        assertThat(message.text()).isEqualTo("{\"a\": 1}");
        assertThat(message.contentType()).isEqualTo("application/json");
        assertThat(message.headers())
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("traceparent", TRACE),
                        Map.entry("My-Own", "é"),
                        Map.entry("ce_specversion", "1.0"),
                        Map.entry("ce_id", "id-1"),
                        Map.entry("ce_source", "/shop"),
                        Map.entry("ce_type", "OrderPlaced"),
                        Map.entry("ce_subject", "o-1"),
                        Map.entry("ce_time", "2026-01-02T03:04:05Z"),
                        Map.entry("ce_aggregatetype", "Order"),
                        Map.entry("ce_tenantid", "acme"),
                        Map.entry("ce_partitionkey", "k-1"),
                        Map.entry("ce_attempt", "3")));
    }

    @Test
    void cloudEventsInStructuredModeAreOneDocument() {
        Message message = write(MessageForm.CLOUDEVENTS_STRUCTURED, full().build());

        assertThat(message.contentType()).isEqualTo("application/cloudevents+json");
        JsonCodec.validate(message.text());
        assertThat(message.text())
                .startsWith("{\"specversion\":\"1.0\",\"id\":\"id-1\",\"source\":\"/shop\",\"type\":\"OrderPlaced\"")
                .contains("\"subject\":\"o-1\"", "\"traceparent\":\"" + TRACE + "\"")
                .contains("\"datacontenttype\":\"application/json\"")
                .doesNotContain("My-Own")
                .endsWith(",\"data\":{\"a\": 1}}");
        assertThat(message.headers()).containsEntry("My-Own", "é");
    }

    @Test
    void aStructuredDocumentIsJsonWhateverTheEventHolds() {
        Map<String, String> odd = new LinkedHashMap<>();
        odd.put("quote", "\"},{\"");
        odd.put("control", "\u0000\n\r\t\u001f\u007f");
        odd.put("half", "\ud83d");
        odd.put("data", "forged");
        odd.put("id", "forged");
        odd.put("datacontenttype", "forged");
        odd.put("not an extension\"", "x");
        EventEnvelope event = full().aggregateId("\\\"\u2028").headers(odd).build();

        String document = write(MessageForm.CLOUDEVENTS_STRUCTURED, event).text();

        JsonCodec.validate(document);
        assertThat(document).doesNotContain("forged", "not an extension");
    }

    @Test
    void aPayloadThatIsNotJsonCannotBeStructured() {
        EventEnvelope broken =
                EventEnvelope.builder("T").storedPayloadJson("},{").build();

        assertThatThrownBy(() -> write(MessageForm.CLOUDEVENTS_STRUCTURED, broken))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void binaryPayloadsTravelAsTheyAre() {
        EventEnvelope event =
                full().payloadJson(null).payloadBytes(new byte[] {0, -1}).build();

        for (MessageForm form : MessageForm.values()) {
            Message message = write(form, event);
            if (form == MessageForm.CLOUDEVENTS_STRUCTURED) {
                JsonCodec.validate(message.text());
                assertThat(message.text())
                        .contains("\"data_base64\":\"AP8=\"", "\"datacontenttype\":\"application/octet-stream\"");
            } else {
                assertThat(message.body()).containsExactly(0, -1);
                assertThat(message.contentType()).isEqualTo("application/octet-stream");
            }
        }
    }

    @Test
    void theDebeziumFormIsKeyedByTheAggregate() {
        Message message = write(MessageForm.DEBEZIUM_OUTBOX, full().build());

        assertThat(message.key()).isEqualTo("o-1");
        assertThat(message.headers())
                .containsOnlyKeys("id", "eventType", "traceparent", "My-Own")
                .containsEntry("id", "id-1");
        assertThat(write(MessageForm.DEBEZIUM_OUTBOX, full().aggregateId(null).build())
                        .key())
                .isEqualTo("k-1");
    }

    @ParameterizedTest
    @EnumSource(MessageForm.class)
    void theKeyIsTheAggregateWhereThereIsNoOrder(MessageForm form) {
        assertThat(write(form, full().orderingKey(null).build()).key()).isEqualTo("o-1");
    }

    @Test
    void textIsUtf8() {
        Message message = write(MessageForm.PLAIN, full().payloadJson("\"é€\"").build());

        assertThat(message.body()).isEqualTo("\"é€\"".getBytes(StandardCharsets.UTF_8));
        assertThat(message.text()).isEqualTo("\"é€\"");
    }

    @Test
    void readsItsSettings() {
        Settings settings = new Settings("o", "n", Map.of("form", "cloudevents_structured", "source", "/x"));

        assertThat(MessageWriter.from(settings, "ce-"))
                .isEqualTo(new MessageWriter(MessageForm.CLOUDEVENTS_STRUCTURED, "/x", "ce-"));
        assertThat(MessageWriter.from(new Settings("o", "n", Map.of()), "ce-"))
                .isEqualTo(new MessageWriter(MessageForm.PLAIN, "/outbox", "ce-"));
    }
}
