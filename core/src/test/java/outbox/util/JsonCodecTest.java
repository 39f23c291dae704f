package outbox.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers to text and back. What counts as JSON is in {@link JsonValidationTest}. */
final class JsonCodecTest {

    @Test
    void writesAFlatObject() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("z", "1");
        map.put("a", "");
        map.put("", "true");

        assertThat(JsonCodec.encode(Map.of())).isEqualTo("{}");
        assertThat(JsonCodec.encode(map)).isEqualTo("{\"z\":\"1\",\"a\":\"\",\"\":\"true\"}");
    }

    @Test
    void escapesWhatMayNotStandInAString() {
        assertThat(JsonCodec.encode(Map.of("q\"\\", "\0\n\u001F\u007F")))
                .isEqualTo("{\"q\\\"\\\\\":\"\\u0000\\u000a\\u001f\\u007f\"}");
    }

    @Test
    void writesSurrogatesSoThatNoEncodingLosesThem() {
        assertThat(JsonCodec.encode(Map.of("k", "😀\uD800"))).isEqualTo("{\"k\":\"\\ud83d\\ude00\\ud800\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "plain",
                "\"quoted\" and \\ back",
                "/slash/",
                "\b\f\n\r\t",
                "\0\u0001\u001F\u007F\u0080\u2028\u2029",
                "Grüße 日本語",
                "😀",
                "\uD800",
                "\uDC00\uD800",
                "\uFFFE\uFFFF\uFEFF",
                "\\u0041",
                "{\"a\":\"b\"}"
            })
    void givesBackWhatItWrote(String text) {
        Map<String, String> map = Map.of(text, text);

        assertThat(JsonCodec.decode(JsonCodec.encode(map))).isEqualTo(map);
        JsonCodec.validate(JsonCodec.encode(map));
    }

    @Test
    void givesBackEveryCharacterThereIs() {
        StringBuilder all = new StringBuilder();
        for (int c = 0; c <= 0xFFFF; c++) {
            all.append((char) c);
        }
        Map<String, String> map = Map.of("all", all.toString());

        assertThat(JsonCodec.decode(JsonCodec.encode(map))).isEqualTo(map);
    }

    @Test
    void keepsTheOrderOfTheText() {
        assertThat(JsonCodec.decode("{\"z\":\"1\",\"m\":\"2\",\"a\":\"3\"}").keySet())
                .containsExactly("z", "m", "a");
    }

    @Test
    void readsWhatOthersWrote() {
        assertThat(JsonCodec.decode(" \r\n\t{ \"a\" :\t\"\\b\\f\\n\\r\\t\\/\\\"\\\\\" ,\n\"b\":\"\\u00E9\\u00e9\" } "))
                .containsExactly(Map.entry("a", "\b\f\n\r\t/\"\\"), Map.entry("b", "éé"));
        assertThat(JsonCodec.decode("{ }")).isEmpty();
    }

    @SuppressWarnings("UnusedVariable") // read by name
    private static final Arguments[] REFUSED = {
        Arguments.of("", 0),
        Arguments.of("null", 0),
        Arguments.of("[]", 0),
        Arguments.of("\"a\"", 0),
        Arguments.of("{", 1),
        Arguments.of("{\"a\"}", 4),
        Arguments.of("{\"a\":}", 5),
        Arguments.of("{\"a\":1}", 5),
        Arguments.of("{\"a\":true}", 5),
        Arguments.of("{\"a\":null}", 5),
        Arguments.of("{\"a\":{}}", 5),
        Arguments.of("{\"a\":[\"b\"]}", 5),
        Arguments.of("{a:\"b\"}", 1),
        Arguments.of("{'a':'b'}", 1),
        Arguments.of("{\"a\":\"b\",}", 9),
        Arguments.of("{,}", 1),
        Arguments.of("{\"a\":\"b\" \"c\":\"d\"}", 9),
        Arguments.of("{\"a\":\"b\"", 8),
        Arguments.of("{\"a\":\"b\n\"}", 7),
        Arguments.of("{\"a\":\"\\x\"}", 7),
        Arguments.of("{\"a\":\"\\u12g4\"}", 10),
        Arguments.of("{\"a\":\"\\u12", 10)
    };

    @ParameterizedTest
    @FieldSource("REFUSED")
    void refusesAnythingButAFlatObjectOfStrings(String text, int position) {
        assertThatThrownBy(() -> JsonCodec.decode(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("is not JSON: ")
                .hasMessageEndingWith(" at character " + position);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":\"1\",\"a\":\"2\"}", "{\"a\":\"1\",\"b\":\"2\",\"\\u0061\":\"1\"}"})
    void refusesANameThatComesTwice(String text) {
        assertThatThrownBy(() -> JsonCodec.decode(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}{}", "{} x", "{\"a\":\"b\"}}", "{}\0", "{},"})
    void refusesTextAfterTheObject(String text) {
        assertThatThrownBy(() -> JsonCodec.decode(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more text after the value");
    }
}
