package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

/** What is read back is what was published, to the last byte. */
interface FidelityContract extends ContractPart {

    /** One code point of every plane that has any: 0, 1, 2, 3, 14, and the private ones 15 and 16. */
    String EVERY_PLANE = new StringBuilder("plain é ł 猫 ")
            .appendCodePoint(0x1F408)
            .appendCodePoint(0x20000)
            .appendCodePoint(0x30000)
            .appendCodePoint(0xE0041)
            .appendCodePoint(0xF0000)
            .appendCodePoint(0x10FFFD)
            .toString();

    String CAT = "\uD83D\uDC08";

    /** Stores and claims the event, and expects an equal one on both ways of reading. */
    private EventEnvelope roundTrip(EventEnvelope event) {
        underTest().publish(event);
        assertThat(underTest().row(event).toEnvelope()).isEqualTo(event);
        EventEnvelope claimed = underTest().claimer().claimOnly().event().toEnvelope();
        assertThat(claimed).isEqualTo(event);
        return claimed;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"z\":1,\"a\":2,\"m\":{\"y\":[],\"b\":{}}}",
                " {\r\n\t\"spaced\" :  [ 1 ,2 ]\n}\n ",
                "[1e400, -0.0, 12345678901234567890.000, 1E+2, 0.10, 1.7976931348623157e309]",
                "{\"escapes\":\"\\u0041\\/\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\ud83d\\uDC08\\ud800\"}",
                "{\"twice\":1,\"twice\":2,\"\":3}",
                "{\"quotes\":\"it's 100 % 'quoted' -- ; ?1 :name $1 \\\\ {fn x} \"}",
                "{\"odd\":\"\u007F\u0085\u00A0\u2028\u2029\uFEFF\uFFFD\uFFFF\"}",
                "\"a text\"",
                "12.50",
                "null",
            })
    default void keepsTheTextOfJson(String json) {
        EventEnvelope read = roundTrip(Events.sample().payloadJson(json).build());

        assertThat(read.payloadJson()).isEqualTo(json);
        assertThat(read.payloadBytes()).isNull();
    }

    @Test
    default void keepsEveryPlaneOfUnicodeInEveryField() {
        roundTrip(EventEnvelope.builder("type " + EVERY_PLANE)
                .payloadJson("{\"" + EVERY_PLANE + "\":\"" + EVERY_PLANE + "\"}")
                .orderingKey("key " + EVERY_PLANE)
                .aggregateType("aggregate type " + EVERY_PLANE)
                .aggregateId("aggregate " + EVERY_PLANE)
                .tenantId("tenant " + EVERY_PLANE)
                .header("header " + EVERY_PLANE, EVERY_PLANE)
                .build());
    }

    @Test
    default void keepsTheLargestJson() {
        String padded = "{\"text\":\"" + "x".repeat(EventEnvelope.PAYLOAD_BYTES_MAX - 11) + "\"}";
        EventEnvelope event = Events.sample().payloadJson(padded).build();
        assertThat(event.payloadSize()).isEqualTo(EventEnvelope.PAYLOAD_BYTES_MAX);

        assertThat(roundTrip(event).payloadJson()).isEqualTo(padded);
    }

    @Test
    default void keepsTheLargestJsonOfFourByteCharacters() {
        String padded = "[\"" + CAT.repeat((EventEnvelope.PAYLOAD_BYTES_MAX - 4) / 4) + "\"]";
        EventEnvelope event = Events.sample().payloadJson(padded).build();
        assertThat(event.payloadSize()).isEqualTo(EventEnvelope.PAYLOAD_BYTES_MAX);

        assertThat(roundTrip(event).payloadJson()).isEqualTo(padded);
    }

    @Test
    default void keepsTheLargestBinaryPayload() {
        byte[] payload = new byte[EventEnvelope.PAYLOAD_BYTES_MAX];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) ((i * 31) >> 3);
        }

        assertThat(roundTrip(binary(payload)).payloadBytes()).isEqualTo(payload);
    }

    @Test
    default void keepsEveryByteOfABinaryPayload() {
        byte[] payload = new byte[256];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) i;
        }
        EventEnvelope read = roundTrip(binary(payload));

        assertThat(read.payloadBytes()).isEqualTo(payload);
        assertThat(read.payloadJson()).isNull();
    }

    @Test
    default void keepsAnEmptyBinaryPayload() {
        assertThat(roundTrip(binary(new byte[0])).payloadBytes()).isEmpty();
    }

    private static EventEnvelope binary(byte[] payload) {
        return EventEnvelope.ofBytes(Events.TYPE, payload);
    }

    @Test
    default void keepsAbsentFieldsAbsent() {
        EventEnvelope read = roundTrip(Events.any());

        assertThat(read.aggregateType()).isNull();
        assertThat(read.aggregateId()).isNull();
        assertThat(read.tenantId()).isNull();
        assertThat(read.orderingKey()).isNull();
        assertThat(read.headers()).isEmpty();
        assertThat(read.maxAttempts()).isEmpty();
    }

    @Test
    default void keepsEmptyTextApartFromAbsentText() {
        EventEnvelope read = roundTrip(Events.sample()
                .aggregateType("")
                .aggregateId("")
                .tenantId("")
                .orderingKey("")
                .build());

        assertThat(List.of("" + read.aggregateType(), "" + read.aggregateId(), "" + read.tenantId()))
                .containsOnly("");
        assertThat(read.orderingKey()).isEmpty();
    }

    @Test
    default void keepsAnAggregateWithoutAnOrderingKey() {
        EventEnvelope read = roundTrip(
                Events.sample().aggregateId("order-1").orderingKey(null).build());

        assertThat(read.orderingKey()).isNull();
    }

    @Test
    default void keepsOddHeadersInTheirOrder() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("zeta", "last letter first");
        headers.put("alpha", "quotes \" and ' and ` and \\ and \\\\");
        headers.put("line\nbreak\r", "tab\tand\u0000null\u0001\u007F");
        headers.put(CAT, EVERY_PLANE);
        headers.put("half a pair", "\uD83D before, \uDC08 after, \uDC08\uD83D swapped");
        headers.put("", "an empty name");
        headers.put("an empty value", "");
        headers.put("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");

        EventEnvelope read = roundTrip(Events.sample().headers(headers).build());

        assertThat(List.copyOf(read.headers().entrySet())).isEqualTo(List.copyOf(headers.entrySet()));
    }

    @Test
    default void keepsTheLongestTextOfEveryField() {
        EventEnvelope event = EventEnvelope.builder("t".repeat(128))
                .eventId("e".repeat(36))
                .aggregateType("a".repeat(64))
                .aggregateId(CAT.repeat(128))
                .tenantId(CAT.repeat(64))
                .orderingKey(CAT.repeat(255))
                .payloadJson("{}")
                .build();

        roundTrip(event);
    }

    @Test
    default void keepsAnEventIdOfFourByteCharacters() {
        roundTrip(Events.sample().eventId(CAT.repeat(36)).build());
    }

    @Test
    default void distinguishesEventIdsThatDifferOnlyInCaseAccentOrTrailingSpace() {
        List<EventEnvelope> events = List.of(
                Events.sample().eventId("event").build(),
                Events.sample().eventId("EVENT").build(),
                Events.sample().eventId("évent").build(),
                Events.sample().eventId("event ").build());

        underTest().publishAll(events);

        assertThat(underTest().claimer().claimIds()).containsExactlyInAnyOrderElementsOf(Events.ids(events));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-15T09:05:03.123456Z",
                "1969-12-31T23:59:59.999999Z",
                // An hour that does not exist, and one that comes twice, by the clocks of Europe and of America.
                "2026-03-29T01:30:00Z",
                "2026-03-29T02:30:00Z",
                "2026-10-25T00:30:00Z",
                "2026-10-25T01:30:00Z",
                "2026-03-08T02:30:00Z",
                "2026-11-01T05:30:00Z",
                "2038-01-19T03:14:08Z",
                "2100-02-28T23:59:59.000001Z",
            })
    default void keepsTheTimeOfTheEventToTheMicrosecond(String time) {
        EventEnvelope read =
                roundTrip(Events.sample().occurredAt(Instant.parse(time)).build());

        assertThat(read.occurredAt()).isEqualTo(time);
    }

    @Test
    default void keepsTheAttemptsThatAnEventAsksFor() {
        EventEnvelope read = roundTrip(Events.sample().maxAttempts(3).build());

        assertThat(read.maxAttempts()).hasValue(3);
    }

    @Test
    default void aNewEventHasNoPast() {
        EventEnvelope event = underTest().publish(Events.any());
        OutboxEvent row = underTest().row(event);

        assertThat(row.status()).isEqualTo(EventStatus.NEW);
        assertThat(row.attempts()).isZero();
        assertThat(row.state().lastAttemptAt()).isNull();
        assertThat(row.state().doneAt()).isNull();
        assertThat(row.state().lastError()).isNull();
        assertThat(row.availableAt()).isBetween(row.createdAt(), row.createdAt().plusSeconds(60));
    }

    @Test
    default void keepsTheEventsOfABatchApart() {
        List<EventEnvelope> events = List.of(
                Events.sample().aggregateId("a").header("h", "1").build(),
                binary(new byte[] {1, 0, -1}),
                Events.sample().maxAttempts(2).payloadJson("[2]").build(),
                Events.sample().tenantId("t").orderingKey("k").build());

        underTest().publishAll(events);

        assertThat(underTest().claimer().claim())
                .extracting(held -> held.event().toEnvelope())
                .containsExactlyElementsOf(events);
    }

    @Test
    default void givesOutARowWhoseHeadersAnotherProgramHasBroken() {
        EventEnvelope event =
                underTest().publish(Events.sample().header("a", "b").build());
        underTest().fixture().corruptHeaders(event.eventId(), "{\"a\": not json");

        OutboxEvent claimed = underTest().claimer().claimOnly().event();

        assertThat(claimed.headersJson()).isEqualTo("{\"a\": not json");
        assertThatThrownBy(claimed::toEnvelope).isInstanceOf(IllegalArgumentException.class);
    }
}
