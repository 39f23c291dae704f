package catbox.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EventTest {

    @Test
    void hasTheRequestedNumberOfBytes() {
        assertThat(Event.of(1_234_567, "key", 500).payload()).hasSize(500);
    }

    @Test
    void isFoundInAnyEncoding() {
        String escaped = "\"" + Event.of(42, "key", 100).payload().replace("\"", "\\\"") + "\"";

        assertThat(Event.numberIn(escaped.getBytes(StandardCharsets.UTF_8))).isEqualTo(42);
    }

    @Test
    void refusesAMessageThatTheBenchmarkDidNotWrite() {
        assertThatThrownBy(() -> Event.numberIn("{\"no\":7}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("8 bytes");
    }

    @Test
    void keysAlternateExceptForTheHotOne() {
        EventPlan plan = new EventPlan(1_000, 200, 10, 50, 100);

        assertThat(plan.at(0).key()).isEqualTo("key-hot");
        assertThat(plan.at(57).key()).isEqualTo("key-7");
        assertThat(plan.at(57).number()).isEqualTo(1_057);
        assertThat(IntStream.range(0, 200).filter(i -> plan.at(i).key().equals("key-hot")))
                .hasSize(100);
    }

    @Test
    void aPlanSurvivesTheCommandLine() {
        EventPlan plan = new EventPlan(5, 200, 10, 50, 100);

        assertThat(EventPlan.of(Words.of(plan.words().split(" ", -1)))).isEqualTo(plan);
    }
}
