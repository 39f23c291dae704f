package outbox.relay.internal.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LaneLimitsTest {

    @Test
    void takesTheEndsOfEveryRange() {
        assertThat(new LaneLimits(1, 1_024, 1, 1).eventsMax()).isEqualTo(1);
        assertThat(new LaneLimits(1_000_000, 1L << 40, 100_000, 1_000_000).bytesMax())
                .isEqualTo(1L << 40);
    }

    @Test
    void namesTheLimitAndTheRange() {
        assertRefused(() -> new LaneLimits(0, 1_024, 1, 1), "eventsMax", "from 1 to 1000000", "was 0");
        assertRefused(() -> new LaneLimits(1_000_001, 1_024, 1, 1), "eventsMax", "1000001");
        assertRefused(() -> new LaneLimits(1, 1_023, 1, 1), "bytesMax", "from 1024", "1023");
        assertRefused(() -> new LaneLimits(1, (1L << 40) + 1, 1, 1), "bytesMax");
        assertRefused(() -> new LaneLimits(1, 1_024, 0, 1), "eventsPerLaneMax", "from 1 to 100000");
        assertRefused(() -> new LaneLimits(1, 1_024, 100_001, 1), "eventsPerLaneMax");
        assertRefused(() -> new LaneLimits(1, 1_024, 1, 0), "lanesSkippedMax", "from 1 to 1000000");
        assertRefused(() -> new LaneLimits(1, 1_024, 1, 1_000_001), "lanesSkippedMax");
    }

    private static void assertRefused(Runnable making, String... words) {
        assertThatThrownBy(making::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }
}
