package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstantTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "2024-02-29T23:59:59Z",
                "2026-11-16T00:15:17.100Z",
                "2026-11-16T00:15:17.000100Z",
                "2026-11-16T00:15:17.000000001Z",
                "2026-11-16T00:15:17.999999999Z",
                "9999-12-31T23:59:59.999999999Z",
                "1969-12-31T23:59:59.999Z",
                "-0001-01-01T00:00:00Z",
                "+10000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59.999999999Z"
            })
    void writesEveryTimeAsTheJdkDoes(String text) {
        assertThat(InstantText.of(Instant.parse(text))).isEqualTo(text);
    }

    @Test
    void writesAnyTimeAsTheJdkDoes() {
        Random random = new Random(7);
        int[] units = {1, 1_000, 1_000_000, 1_000_000_000};
        for (int i = 0; i < 10_000; i++) {
            int unit = units[i % units.length];
            Instant time = Instant.ofEpochSecond(
                    random.nextLong(-10_000_000_000L, 260_000_000_000L), random.nextLong(1_000_000_000 / unit) * unit);
            assertThat(InstantText.of(time)).isEqualTo(time.toString());
        }
    }
}
