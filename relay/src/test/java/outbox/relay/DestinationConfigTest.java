package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DestinationConfigTest {

    private static final DestinationConfig CONFIG = DestinationConfig.defaults();

    @Test
    void hasTheDocumentedDefaults() {
        assertThat(CONFIG)
                .isEqualTo(new DestinationConfig(
                        Duration.ofSeconds(35), 0, 10, Duration.ofSeconds(1), Duration.ofSeconds(4)));
    }

    @Test
    void changesOneSettingAtATime() {
        assertThat(CONFIG.withDeadline(Duration.ofSeconds(3)).deadline()).isEqualTo(Duration.ofSeconds(3));
        assertThat(CONFIG.withEventsPerSecondMax(7).eventsPerSecondMax()).isEqualTo(7);
        assertThat(CONFIG.withBreaker(3, Duration.ofSeconds(2), Duration.ofSeconds(4)))
                .isEqualTo(new DestinationConfig(
                        Duration.ofSeconds(35), 0, 3, Duration.ofSeconds(2), Duration.ofSeconds(4)));
    }

    @Test
    void takesTheEndsOfEveryRange() {
        assertThat(CONFIG.withBreaker(0, Duration.ofSeconds(1), Duration.ofSeconds(1))
                        .breakerFailures())
                .isZero();
        assertThat(CONFIG.withDeadline(Duration.ofNanos(1)).deadline()).isEqualTo(Duration.ofNanos(1));
    }

    @Test
    void namesTheSettingAndTheRange() {
        assertRefused(() -> CONFIG.withDeadline(Duration.ZERO), "deadline", "positive", "PT0S");
        assertRefused(() -> CONFIG.withDeadline(Duration.ofSeconds(-1)), "deadline", "positive");
        assertRefused(() -> CONFIG.withEventsPerSecondMax(-1), "eventsPerSecondMax", "0 (no limit) or more", "-1");
        assertRefused(
                () -> CONFIG.withBreaker(-1, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                "breakerFailures",
                "0 (never) or more",
                "-1");
        assertRefused(() -> CONFIG.withBreaker(1, Duration.ZERO, Duration.ofSeconds(1)), "breakerRest", "positive");
        assertRefused(
                () -> CONFIG.withBreaker(1, Duration.ofSeconds(2), Duration.ofSeconds(1)),
                "breakerRestMax",
                "at least breakerRest (PT2S)",
                "PT1S");
    }

    private static void assertRefused(Runnable making, String... words) {
        assertThatThrownBy(making::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }
}
