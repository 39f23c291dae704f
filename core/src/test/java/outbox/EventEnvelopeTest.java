package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What an envelope holds. What it refuses is in {@link EventEnvelopeRefusalTest}. */
final class EventEnvelopeTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private enum UserEvents implements EventType {
        USER_CREATED
    }

    private enum Aggregates implements AggregateType {
        USER
    }

    @Test
    void makesItsOwnIdAndTime() {
        Instant before = Instant.now().truncatedTo(ChronoUnit.MICROS);
        EventEnvelope event = EventEnvelope.ofJson("UserCreated", "{}");

        assertThat(event.eventId()).matches("[0-7][0-9A-HJKMNP-TV-Z]{25}");
        assertThat(event.occurredAt()).isBetween(before, Instant.now());
        assertThat(EventEnvelope.ofJson("UserCreated", "{}").eventId()).isGreaterThan(event.eventId());
    }

    @Test
    void leavesOutWhatWasNotGiven() {
        EventEnvelope event = EventEnvelope.ofJson("UserCreated", "{}");

        assertThat(event.aggregateType()).isNull();
        assertThat(event.aggregateId()).isNull();
        assertThat(event.tenantId()).isNull();
        assertThat(event.orderingKey()).isNull();
        assertThat(event.availableAt()).isNull();
        assertThat(event.maxAttempts()).isEmpty();
        assertThat(event.headers()).isEmpty();
        assertThat(event.payloadBytes()).isNull();
    }

    @Test
    void holdsWhatTheBuilderWasGiven() {
        EventEnvelope event = full().build();

        assertThat(event.eventId()).isEqualTo("e-1");
        assertThat(event.eventType()).isEqualTo("UserCreated");
        assertThat(event.occurredAt()).isEqualTo(NOON);
        assertThat(event.aggregateType()).isEqualTo("User");
        assertThat(event.aggregateId()).isEqualTo("u-1");
        assertThat(event.tenantId()).isEqualTo("t-1");
        assertThat(event.orderingKey()).isEqualTo("k-1");
        assertThat(event.availableAt()).isEqualTo(NOON.plusSeconds(60));
        assertThat(event.maxAttempts()).hasValue(3);
        assertThat(event.headers()).containsExactly(Map.entry("trace", "abc"));
        assertThat(event.payloadJson()).isEqualTo("{\"name\": \"John\"}");
        assertThat(event.payloadSize()).isEqualTo(16);
    }

    @Test
    void takesNamesFromEnums() {
        EventEnvelope event = EventEnvelope.builder(UserEvents.USER_CREATED)
                .aggregateType(Aggregates.USER)
                .payloadJson("{}")
                .build();

        assertThat(event.eventType()).isEqualTo("USER_CREATED");
        assertThat(event.aggregateType()).isEqualTo("USER");
    }

    @Test
    void takesNamesFromTypesMadeAtRunTime() {
        EventEnvelope event = EventEnvelope.builder(StringEventType.of("Dynamic"))
                .aggregateType(StringAggregateType.of("Custom"))
                .payloadJson("{}")
                .build();

        assertThat(event.eventType()).isEqualTo("Dynamic");
        assertThat(event.aggregateType()).isEqualTo("Custom");
    }

    @Test
    void hasShorthandsForJson() {
        assertThat(EventEnvelope.ofJson("A", "[1]").payloadJson()).isEqualTo("[1]");
        assertThat(EventEnvelope.ofJson(UserEvents.USER_CREATED, "[1]"))
                .extracting(EventEnvelope::eventType, EventEnvelope::payloadJson, EventEnvelope::payloadBytes)
                .containsExactly("USER_CREATED", "[1]", null);
    }

    @Test
    void hasShorthandsForBytes() {
        byte[] bytes = {0, -1, 127};

        assertThat(EventEnvelope.ofBytes("A", bytes).payloadBytes()).containsExactly(0, -1, 127);
        EventEnvelope typed = EventEnvelope.ofBytes(UserEvents.USER_CREATED, bytes);
        assertThat(typed.eventType()).isEqualTo("USER_CREATED");
        assertThat(typed.payloadBytes()).containsExactly(0, -1, 127);
        assertThat(typed.payloadJson()).isNull();
        assertThat(typed.payloadSize()).isEqualTo(3);
    }

    @Test
    void keepsItsBytesWhenTheGivenArrayChanges() {
        byte[] bytes = {1, 2};
        EventEnvelope event = EventEnvelope.ofBytes("A", bytes);
        bytes[0] = 9;

        assertThat(event.payloadBytes()).containsExactly(1, 2);
    }

    @Test
    void keepsItsBytesWhenTheReturnedArrayChanges() {
        EventEnvelope event = EventEnvelope.ofBytes("A", new byte[] {1, 2});
        byte[] returned = event.payloadBytes();
        assertThat(returned).isNotNull();
        returned[0] = 9;

        assertThat(event.payloadBytes()).containsExactly(1, 2);
    }

    @Test
    void keepsItsHeadersWhenTheGivenMapChanges() {
        Map<String, String> headers = new LinkedHashMap<>(Map.of("a", "1"));
        EventEnvelope event = withPayload().headers(headers).build();
        headers.put("b", "2");

        assertThat(event.headers()).containsExactly(Map.entry("a", "1"));
    }

    @Test
    void lendsItsHeadersForReadingOnly() {
        EventEnvelope event = withPayload().header("a", "1").build();

        assertThatThrownBy(() -> event.headers().put("b", "2")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> event.headers().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void addsHeadersInOrderAndLeavesTheGivenMapAlone() {
        Map<String, String> given = new LinkedHashMap<>();
        given.put("z", "1");
        given.put("a", "2");
        EventEnvelope event =
                withPayload().headers(given).header("m", "3").header("z", "4").build();

        assertThat(event.headers()).containsExactly(Map.entry("z", "4"), Map.entry("a", "2"), Map.entry("m", "3"));
        assertThat(given).containsExactly(Map.entry("z", "1"), Map.entry("a", "2"));
    }

    @Test
    void doesNotShareHeadersBetweenTheEventsOfOneBuilder() {
        EventEnvelope.Builder builder = withPayload().header("a", "1");
        EventEnvelope first = builder.build();
        EventEnvelope second = builder.header("b", "2").build();

        assertThat(first.headers()).containsOnlyKeys("a");
        assertThat(second.headers()).containsOnlyKeys("a", "b");
    }

    @Test
    void takesNullHeadersForNone() {
        assertThat(withPayload().headers(null).build().headers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-01T12:00:00.123456789Z, 2026-03-01T12:00:00.123456Z",
        "2026-03-01T12:00:00.000000999Z, 2026-03-01T12:00:00Z",
        "1969-12-31T23:59:59.999999999Z, 1969-12-31T23:59:59.999999Z"
    })
    void keepsTimesToTheMicrosecond(Instant given, Instant kept) {
        EventEnvelope event = withPayload().occurredAt(given).availableAt(given).build();

        assertThat(event.occurredAt()).isEqualTo(kept);
        assertThat(event.availableAt()).isEqualTo(kept);
    }

    @Test
    void ordersByAggregateIdUnlessToldOtherwise() {
        assertThat(withPayload().aggregateId("u-1").build().orderingKey()).isEqualTo("u-1");
        assertThat(withPayload().orderingKey("k").aggregateId("u-1").build().orderingKey())
                .isEqualTo("k");
    }

    @Test
    void hasNoOrderWhenTheKeyIsSetToNull() {
        EventEnvelope event = withPayload().orderingKey(null).aggregateId("u-1").build();

        assertThat(event.orderingKey()).isNull();
        assertThat(event.aggregateId()).isEqualTo("u-1");
    }

    @ParameterizedTest
    @CsvSource({"a, 3", "é, 4", "€, 5", "😀, 6"})
    void measuresJsonInBytesOfUtf8(String character, int size) {
        String json = '"' + character + '"';

        assertThat(EventEnvelope.ofJson("A", json).payloadSize())
                .isEqualTo(size)
                .isEqualTo(json.getBytes(StandardCharsets.UTF_8).length);
    }

    @Test
    void keepsJsonToTheLetter() {
        String json = " { \"b\" : 1.50 ,\n\"a\":\"\\u00e9é\" } ";

        assertThat(EventEnvelope.ofJson("A", json).payloadJson()).isEqualTo(json);
    }

    @Test
    void equalsAnotherOfTheSameContent() {
        assertThat(full().build()).isEqualTo(full().build()).hasSameHashCodeAs(full().build());
        assertThat(bytes(1, 2)).isEqualTo(bytes(1, 2)).isNotEqualTo(bytes(1, 3));
        assertThat(full().build()).isNotEqualTo(null).isNotEqualTo("e-1");
    }

    @Test
    void equalsAnotherThatIsOnlyDueAtAnotherTime() {
        assertThat(full().availableAt(null).build()).isEqualTo(full().build());
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                change("event id", builder -> builder.eventId("e-2")),
                change("time", builder -> builder.occurredAt(NOON.plusNanos(1_000))),
                change("aggregate type", builder -> builder.aggregateType((String) null)),
                change("aggregate id", builder -> builder.aggregateId("u-2")),
                change("tenant", builder -> builder.tenantId("t-2")),
                change("ordering key", builder -> builder.orderingKey("k-2")),
                change("attempts", builder -> builder.maxAttempts(4)),
                change("headers", builder -> builder.header("trace", "abd")),
                change("payload", builder -> builder.payloadJson("{}")),
                change("kind of payload", builder -> builder.payloadJson(null).payloadBytes(new byte[1])));
    }

    private static Arguments change(String what, UnaryOperator<EventEnvelope.Builder> how) {
        return Arguments.argumentSet(what, how);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void differsFromAnotherInAnyOneField(UnaryOperator<EventEnvelope.Builder> change) {
        assertThat(change.apply(full()).build()).isNotEqualTo(full().build());
    }

    @Test
    void differsFromAnotherOfAnotherType() {
        EventEnvelope.Builder other = EventEnvelope.builder("B").eventId("e-1").occurredAt(NOON);

        assertThat(other.payloadBytes(new byte[] {1, 2}).build()).isNotEqualTo(bytes(1, 2));
    }

    @Test
    void namesItselfWithoutPayloadAndHeaders() {
        String text = full().build().toString();

        assertThat(text).contains("e-1", "UserCreated", "k-1", "16 bytes");
        assertThat(text).doesNotContain("John", "name", "trace", "abc");
        assertThat(bytes(42, 43).toString()).contains("2 bytes").doesNotContain("42", "43");
    }

    @Test
    void isTheSameEventWithOtherHeaders() {
        EventEnvelope event = full().build();
        Map<String, String> headers = new HashMap<>(Map.of("trace", "def"));

        EventEnvelope other = event.withHeaders(headers);
        headers.clear();

        assertThat(other).isEqualTo(full().headers(Map.of("trace", "def")).build());
        assertThat(other.payloadSize()).isEqualTo(event.payloadSize());
        assertThat(event.headers()).containsExactly(Map.entry("trace", "abc"));
        assertThatThrownBy(() -> event.withHeaders(Map.of("big", "x".repeat(EventEnvelope.HEADERS_BYTES_MAX))))
                .isInstanceOf(InvalidEventException.class);
    }

    private static EventEnvelope bytes(int... values) {
        byte[] payload = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            payload[i] = (byte) values[i];
        }
        return EventEnvelope.builder("A")
                .eventId("e-1")
                .occurredAt(NOON)
                .payloadBytes(payload)
                .build();
    }

    private static EventEnvelope.Builder withPayload() {
        return EventEnvelope.builder("UserCreated").payloadJson("{}");
    }

    private static EventEnvelope.Builder full() {
        return EventEnvelope.builder("UserCreated")
                .eventId("e-1")
                .occurredAt(NOON)
                .aggregateType("User")
                .aggregateId("u-1")
                .tenantId("t-1")
                .orderingKey("k-1")
                .availableAt(NOON.plusSeconds(60))
                .maxAttempts(3)
                .header("trace", "abc")
                .payloadJson("{\"name\": \"John\"}");
    }
}
