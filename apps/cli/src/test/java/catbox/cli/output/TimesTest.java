package catbox.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

class TimesTest {

    private static final Instant NOW = Instant.parse("2026-01-10T12:00:00Z");

    private final Times times = new Times(InstantSource.fixed(NOW));

    @ParameterizedTest
    @CsvSource({
        "PT0S, now",
        "PT0.9S, now",
        "PT1.52S, 1.5 s ago",
        "PT119S, 119 s ago",
        "PT120S, 2 m ago",
        "PT119M, 119 m ago",
        "PT47H, 47 h ago",
        "P3D, 3 d ago",
        "PT-90S, in 90 s"
    })
    void saysHowFarAwayATimeIs(Duration ago, String says) {
        assertThat(times.away(NOW.minus(ago))).isEqualTo(says);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-09T00:00:00Z, 2026-01-09T00:00:00Z",
        "90s, 2026-01-10T11:58:30Z",
        "2h, 2026-01-10T10:00:00Z",
        "7d, 2026-01-03T12:00:00Z"
    })
    void readsATimeOrHowLongAgo(String typed, Instant time) {
        assertThat(times.instant(typed)).isEqualTo(time);
    }

    @ParameterizedTest
    @CsvSource({"250ms, PT0.25S", "15m, PT15M", "30d, PT720H", "PT1H, PT1H"})
    void readsADuration(String typed, Duration duration) {
        assertThat(Times.duration(typed)).isEqualTo(duration);
    }

    @Test
    void saysWhatWouldBeRight() {
        assertThatThrownBy(() -> times.instant("2026-01-09"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("a time is written as 2026-01-31T12:00:00Z")
                .hasMessageContaining("\"2026-01-09\"");
        assertThatThrownBy(() -> Times.duration("5w"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("a duration is written as 90s")
                .hasMessageContaining("\"5w\"");
    }
}
