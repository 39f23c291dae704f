package catbox.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JsonLineTest {

    @Test
    void readsBackWhatItWrote() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("line", "a \"quoted\" \\ word");
        line.put("count", 12_000_000_000L);
        line.put("rate", 1.5);
        line.put("tiny", 1.0E-4);

        assertThat(JsonLine.read(JsonLine.write(line))).isEqualTo(line);
        assertThat(JsonLine.read(JsonLine.write(Map.of("micros", new long[] {3, -4})))
                        .get("micros"))
                .isEqualTo(new long[] {3, -4});
    }

    @Test
    void writesOneLineWhateverTheTextHolds() {
        assertThat(JsonLine.write(Map.of("message", "one\ntwo"))).isEqualTo("{\"message\":\"one two\"}");
    }

    @Test
    void writesNotANumberAsUnmeasured() {
        assertThat(JsonLine.write(Map.of("rate", Double.NaN))).isEqualTo("{\"rate\":-1}");
    }

    @Test
    void refusesHalfALine() {
        assertThatThrownBy(() -> JsonLine.read("{\"line\":\"beg"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected more");
    }
}
