package outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.relay.RelayConfig.ClaimConfig;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;

class RelayConfigTest {

    private static final ClaimConfig CLAIM = ClaimConfig.defaults();

    @Test
    void hasTheDocumentedDefaults() {
        RelayConfig config = RelayConfig.of("node-1");

        assertThat(config.terms()).isEqualTo(new ClusterLayout(ClaimStrategy.PARTITIONED, 6));
        assertThat(config.cluster()).isEqualTo(ClusterConfig.of("node-1"));
        assertThat(config.claim())
                .isEqualTo(new ClaimConfig(1_000, 12_000, 32L << 20, Duration.ofSeconds(1), Duration.ofMinutes(5)));
        assertThat(config.settle().maxAttempts()).isEqualTo(10);
    }

    @Test
    void changesOneSettingAtATime() {
        RelayConfig config = RelayConfig.of("node-1");
        SettleConfig settle = SettleConfig.defaults().withMaxAttempts(3);

        assertThat(config.withStrategy(ClaimStrategy.PRIMARY).terms())
                .isEqualTo(new ClusterLayout(ClaimStrategy.PRIMARY, 6));
        assertThat(config.withPartitions(12).withStrategy(ClaimStrategy.LEASE).terms())
                .isEqualTo(new ClusterLayout(ClaimStrategy.LEASE, 12));
        assertThat(config.withCluster(ClusterConfig.of("node-2")).cluster().nodeId())
                .isEqualTo("node-2");
        assertThat(config.withClaim(CLAIM.withFetchMax(7)).claim().fetchMax()).isEqualTo(7);
        assertThat(config.withSettle(settle).settle()).isEqualTo(settle);
    }

    @Test
    void changesOneSettingOfClaimingAtATime() {
        assertThat(CLAIM.withFetchMax(500))
                .isEqualTo(new ClaimConfig(500, 12_000, 32L << 20, Duration.ofSeconds(1), Duration.ofMinutes(5)));
        assertThat(CLAIM.withMemory(2_000, 1 << 20))
                .isEqualTo(new ClaimConfig(1_000, 2_000, 1 << 20, Duration.ofSeconds(1), Duration.ofMinutes(5)));
        assertThat(CLAIM.withPollMax(Duration.ofMillis(10)).pollMax()).isEqualTo(Duration.ofMillis(10));
        assertThat(CLAIM.withLease(Duration.ofSeconds(1)).lease()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void keepsWhatIsReadAtOnceWithinTheMemory() {
        assertThat(CLAIM.withMemory(50, 1 << 20).fetchMax()).isEqualTo(50);
        assertThat(CLAIM.withMemory(50, 1 << 20).withFetchMax(300).eventsMax()).isEqualTo(300);
    }

    @Test
    void namesTheSettingAndTheRange() {
        assertRefused(() -> CLAIM.withFetchMax(0), "fetchMax", "from 1 to 10000", "was 0");
        assertRefused(() -> CLAIM.withFetchMax(10_001), "fetchMax", "10001");
        assertRefused(
                () -> new ClaimConfig(100, 99, 1 << 20, Duration.ofSeconds(1), Duration.ofMinutes(5)),
                "eventsMax",
                "from fetchMax (100) to 1000000",
                "99");
        assertRefused(() -> CLAIM.withMemory(1_000_001, 1 << 20), "eventsMax", "1000001");
        assertRefused(() -> CLAIM.withMemory(1_000, (1 << 20) - 1), "bytesMax", "1 MiB (1048576)", "1048575");
        assertRefused(() -> CLAIM.withPollMax(Duration.ofMillis(9)), "pollMax", "from 10 ms to 1 h");
        assertRefused(() -> CLAIM.withPollMax(Duration.ofMinutes(61)), "pollMax", "PT1H1M");
        assertRefused(() -> CLAIM.withLease(Duration.ofMillis(999)), "lease", "from 1 s to 1 day");
        assertRefused(() -> CLAIM.withLease(Duration.ofHours(25)), "lease", "PT25H");
        assertRefused(() -> RelayConfig.of("n").withPartitions(0), "partitions", "from 1 to 1024", "was 0");
        assertRefused(() -> RelayConfig.of("n").withPartitions(1_025), "partitions", "1025");
    }

    private static void assertRefused(Runnable making, String... words) {
        assertThatThrownBy(making::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }
}
