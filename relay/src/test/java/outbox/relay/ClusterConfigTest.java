package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClusterConfigTest {

    private static final ClusterConfig CONFIG = ClusterConfig.of("node-1");

    @Test
    void hasTheDocumentedDefaults() {
        assertThat(CONFIG)
                .isEqualTo(new ClusterConfig(
                        "node-1", 1, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(10)));
    }

    @Test
    void changesOneSettingAtATime() {
        assertThat(CONFIG.withWeight(3).weight()).isEqualTo(3);
        assertThat(CONFIG.withDrain(Duration.ZERO).drain()).isZero();
        assertThat(CONFIG.withHeartbeat(Duration.ofSeconds(2), Duration.ofSeconds(6)))
                .isEqualTo(new ClusterConfig(
                        "node-1", 1, Duration.ofSeconds(2), Duration.ofSeconds(6), Duration.ofSeconds(10)));
    }

    @Test
    void takesTheEndsOfEveryRange() {
        assertThat(CONFIG.withWeight(0).weight()).isZero();
        assertThat(CONFIG.withWeight(1_000).weight()).isEqualTo(1_000);
        assertThat(CONFIG.withHeartbeat(Duration.ofMillis(10), Duration.ofMillis(30))
                        .timeout())
                .isEqualTo(Duration.ofMillis(30));
        assertThat(CONFIG.withHeartbeat(Duration.ofHours(1), Duration.ofDays(1)).heartbeat())
                .isEqualTo(Duration.ofHours(1));
        assertThat(CONFIG.withDrain(Duration.ofHours(1)).drain()).isEqualTo(Duration.ofHours(1));
        assertThat(ClusterConfig.of("n".repeat(128)).nodeId()).hasSize(128);
    }

    @Test
    void namesTheSettingAndTheRange() {
        assertRefused(() -> ClusterConfig.of(" "), "nodeId", "1 to 128", "\" \"");
        assertRefused(() -> ClusterConfig.of("n".repeat(129)), "nodeId", "1 to 128");
        assertRefused(() -> CONFIG.withWeight(-1), "weight", "from 0 to 1000", "-1");
        assertRefused(() -> CONFIG.withWeight(1_001), "weight", "from 0 to 1000", "1001");
        assertRefused(() -> CONFIG.withHeartbeat(Duration.ofMillis(9), Duration.ofSeconds(1)), "heartbeat", "10 ms");
        assertRefused(() -> CONFIG.withHeartbeat(Duration.ofMinutes(61), Duration.ofDays(1)), "heartbeat", "1 h");
        assertRefused(
                () -> CONFIG.withHeartbeat(Duration.ofSeconds(1), Duration.ofMillis(2_999)),
                "timeout",
                "PT3S",
                "PT2.999S");
        assertRefused(
                () -> CONFIG.withHeartbeat(Duration.ofSeconds(1), Duration.ofHours(25)), "timeout", "at most a day");
        assertRefused(() -> CONFIG.withDrain(Duration.ofMillis(-1)), "drain", "from 0 to 1 h");
        assertRefused(() -> CONFIG.withDrain(Duration.ofMinutes(61)), "drain", "from 0 to 1 h", "PT1H1M");
    }

    private static void assertRefused(Runnable making, String... words) {
        assertThatThrownBy(making::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }
}
