package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an envelope refuses, and that it says why without showing the payload. */
final class EventEnvelopeRefusalTest {

    private static final int MAX = 1_048_576;

    // ---- the payload -------------------------------------------------------------------------------------------

    @Test
    void refusesAMissingPayload() {
        InvalidEventException refusal = refusal(() -> EventEnvelope.builder("A").build());

        assertThat(refusal.field()).isEqualTo("payload");
        assertThat(refusal).hasMessageContainingAll("missing", "payloadJson", "payloadBytes");
    }

    @Test
    void refusesShorthandsWithoutPayload() {
        assertThat(refusal(() -> EventEnvelope.ofJson("A", null))).hasMessageContaining("missing");
        assertThat(refusal(() -> EventEnvelope.ofBytes("A", null))).hasMessageContaining("missing");
    }

    @Test
    void refusesTwoPayloads() {
        InvalidEventException refusal = refusal(() -> EventEnvelope.builder("A")
                .payloadJson("\"secret\"")
                .payloadBytes(new byte[] {1})
                .build());

        assertThat(refusal.field()).isEqualTo("payload");
        assertThat(refusal)
                .hasMessageContainingAll("payloadJson", "payloadBytes", "not both")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "é", "€", "😀"})
    void takesJsonUpToTheLimitAndNotAByteMore(String character) {
        String largest = jsonOf(character, MAX);

        assertThat(largest.getBytes(StandardCharsets.UTF_8)).hasSize(MAX);
        assertThat(EventEnvelope.ofJson("A", largest).payloadSize()).isEqualTo(MAX);
        InvalidEventException refusal = refusal(() -> EventEnvelope.ofJson("A", largest + ' '));
        assertThat(refusal.field()).isEqualTo("payload");
        assertThat(refusal)
                .hasMessageContainingAll("1048577", "1048576")
                .hasMessageNotContaining(character + character);
    }

    /** A JSON string of exactly the given size, filled up with blanks where the character does not divide it. */
    private static String jsonOf(String character, int bytes) {
        int each = character.getBytes(StandardCharsets.UTF_8).length;
        String json = '"' + character.repeat((bytes - 2) / each) + '"';
        return json + " ".repeat((bytes - 2) % each);
    }

    @Test
    void takesBytesUpToTheLimitAndNotOneMore() {
        assertThat(EventEnvelope.ofBytes("A", new byte[MAX]).payloadSize()).isEqualTo(MAX);
        InvalidEventException refusal = refusal(() -> EventEnvelope.ofBytes("A", new byte[MAX + 1]));
        assertThat(refusal.field()).isEqualTo("payload");
        assertThat(refusal).hasMessageContainingAll("1048577", "1048576");
    }

    @Test
    void allowsExactlyTheSizeOfTheSpecification() {
        assertThat(EventEnvelope.PAYLOAD_BYTES_MAX).isEqualTo(MAX);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "secret",
                "{secret}",
                "{\"secret\"}",
                "{\"secret\":1,}",
                "{\"secret\":1}secret",
                "\"secret",
                "\"secret\\x\"",
                "[\"secret\" \"secret\"]",
                "{\"secret\":secret}",
                "\"secret\n\""
            })
    void refusesTextThatIsNotJsonWithoutShowingIt(String text) {
        InvalidEventException refusal = refusal(() -> EventEnvelope.ofJson("A", text));

        assertThat(refusal.field()).isEqualTo("payloadJson");
        assertThat(refusal)
                .hasMessageContainingAll("payloadJson", "not JSON", "at character")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @MethodSource("unpairedSurrogates")
    void refusesJsonWithHalfASurrogatePair(String text, int index) {
        InvalidEventException refusal = refusal(() -> EventEnvelope.ofJson("A", text));

        assertThat(refusal.field()).isEqualTo("payloadJson");
        assertThat(refusal)
                .hasMessageContainingAll("surrogate", "index " + index)
                .hasMessageNotContaining("secret");
    }

    static Stream<Arguments> unpairedSurrogates() {
        return Stream.of(
                Arguments.of("\"secret\uD83D\"", 7),
                Arguments.of("\"\uDE00secret\"", 1),
                Arguments.of("\"😀\uDE00\uD83D\"", 3));
    }

    @Test
    void takesAnEscapedHalfOfASurrogatePair() {
        assertThatCode(() -> EventEnvelope.ofJson("A", "\"\\ud83d\"")).doesNotThrowAnyException();
    }

    // ---- names -------------------------------------------------------------------------------------------------

    record Name(String field, int charsMax, BiFunction<EventEnvelope.Builder, String, EventEnvelope.Builder> set) {

        EventEnvelope envelope(String value) {
            // The type is the one name that is given with the builder itself.
            boolean isType = field.equals("eventType");
            EventEnvelope.Builder builder =
                    EventEnvelope.builder(isType ? value : "A").payloadJson("{}");
            return set.apply(builder, value).build();
        }

        @Override
        public String toString() {
            return field;
        }
    }

    static Stream<Name> names() {
        return Stream.of(
                new Name("eventId", 36, EventEnvelope.Builder::eventId),
                new Name("eventType", 128, (builder, value) -> builder),
                new Name("aggregateType", 64, EventEnvelope.Builder::aggregateType),
                new Name(
                        "aggregateId",
                        128,
                        (builder, value) -> builder.aggregateId(value).orderingKey(null)),
                new Name("tenantId", 64, EventEnvelope.Builder::tenantId),
                new Name("orderingKey", 255, EventEnvelope.Builder::orderingKey));
    }

    @ParameterizedTest
    @MethodSource("names")
    void takesNamesAsLongAsTheirColumn(Name name) {
        assertThatCode(() -> name.envelope("x".repeat(name.charsMax()))).doesNotThrowAnyException();
        assertThatCode(() -> name.envelope("é".repeat(name.charsMax()))).doesNotThrowAnyException();
        assertThatCode(() -> name.envelope("😀".repeat(name.charsMax()))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("names")
    void refusesNamesLongerThanTheirColumn(Name name) {
        for (String character : new String[] {"x", "é", "😀"}) {
            InvalidEventException refusal = refusal(() -> name.envelope(character.repeat(name.charsMax() + 1)));

            assertThat(refusal.field()).isEqualTo(name.field());
            assertThat(refusal)
                    .hasMessageContainingAll(
                            name.field(), "has " + (name.charsMax() + 1), "allowed are " + name.charsMax());
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void quotesOnlyTheBeginningOfALongName(Name name) {
        assertThat(refusal(() -> name.envelope("begin" + "x".repeat(10_000) + "end")))
                .hasMessageContaining("begin")
                .hasMessageNotContaining("end");
    }

    @ParameterizedTest
    @MethodSource("names")
    void refusesTheCharacterThatDatabasesCannotStore(Name name) {
        InvalidEventException refusal = refusal(() -> name.envelope("a\0b"));

        assertThat(refusal.field()).isEqualTo(name.field());
        assertThat(refusal).hasMessageContaining("U+0000").hasMessageNotContaining("\0");
    }

    @ParameterizedTest
    @MethodSource("names")
    void refusesNamesWithHalfASurrogatePair(Name name) {
        InvalidEventException refusal = refusal(() -> name.envelope("ab\uD83D"));

        assertThat(refusal.field()).isEqualTo(name.field());
        assertThat(refusal).hasMessageContainingAll("surrogate", "index 2");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "\t\n"})
    void refusesATypeWithoutName(String type) {
        InvalidEventException refusal = refusal(() -> EventEnvelope.ofJson(type, "{}"));

        assertThat(refusal.field()).isEqualTo("eventType");
        assertThat(refusal).hasMessage("eventType is required, was " + (type == null ? "null" : "blank"));
        assertThat(refusal(() -> StringEventType.of(type)).field()).isEqualTo("eventType");
        assertThat(refusal(() -> StringAggregateType.of(type)).field()).isEqualTo("aggregateType");
    }

    @Test
    void refusesATypeThatIsNull() {
        EventType none = null;

        assertThat(refusal(() -> EventEnvelope.builder(none).payloadJson("{}").build())
                        .field())
                .isEqualTo("eventType");
        assertThat(refusal(() -> EventEnvelope.ofJson(() -> null, "{}")).field())
                .isEqualTo("eventType");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void refusesABlankId(String id) {
        assertThat(refusal(() -> EventEnvelope.builder("A")
                                .eventId(id)
                                .payloadJson("{}")
                                .build())
                        .field())
                .isEqualTo("eventId");
    }

    @Test
    void checksAnAggregateIdThatBecomesTheOrderingKey() {
        assertThat(refusal(() -> EventEnvelope.builder("A")
                                .aggregateId("x".repeat(129))
                                .payloadJson("{}")
                                .build())
                        .field())
                .isEqualTo("aggregateId");
    }

    @Test
    void refusesLongNamesInTypesMadeAtRunTime() {
        assertThat(refusal(() -> StringEventType.of("x".repeat(129)))).hasMessageContainingAll("129", "128");
        assertThat(refusal(() -> StringAggregateType.of("x".repeat(65)))).hasMessageContainingAll("65", "64");
    }

    // ---- the rest ----------------------------------------------------------------------------------------------

    @Test
    void refusesNullInHeaders() {
        Map<String, String> nullValue = new HashMap<>();
        nullValue.put("trace", null);

        InvalidEventException refusal = refusal(() ->
                EventEnvelope.builder("A").headers(nullValue).payloadJson("{}").build());
        assertThat(refusal.field()).isEqualTo("headers");
        assertThat(refusal).hasMessageContainingAll("null", "trace");
        assertThat(refusal(() -> EventEnvelope.builder("A")
                                .header(null, "x")
                                .payloadJson("{}")
                                .build())
                        .field())
                .isEqualTo("headers");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesFewerAttemptsThanOne(int attempts) {
        InvalidEventException refusal = refusal(() -> EventEnvelope.builder("A").maxAttempts(attempts));

        assertThat(refusal.field()).isEqualTo("maxAttempts");
        assertThat(refusal).hasMessage("maxAttempts must be at least 1, was " + attempts);
    }

    private static InvalidEventException refusal(ThrowingCallable build) {
        InvalidEventException refusal = catchThrowableOfType(InvalidEventException.class, build);
        assertThat(refusal).isNotNull();
        return refusal;
    }
}
