package outbox.relay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {

    private final LatencyHistogram latency = new LatencyHistogram();

    @Test
    void isZeroWhenThereIsNothing() {
        assertThat(latency.summary())
                .isEqualTo(new LatencyHistogram.Summary(0, Duration.ZERO, Duration.ZERO, Duration.ZERO));
    }

    @Test
    void tellsPercentilesWithinAFactorOfTwo() {
        for (int millis = 1; millis <= 1_000; millis++) {
            latency.record(Duration.ofMillis(millis));
        }

        LatencyHistogram.Summary summary = latency.summary();

        assertThat(summary.count()).isEqualTo(1_000);
        assertThat(summary.p50()).isBetween(Duration.ofMillis(500), Duration.ofMillis(1_000));
        assertThat(summary.p95()).isBetween(Duration.ofMillis(950), Duration.ofMillis(1_900));
        assertThat(summary.p99()).isBetween(Duration.ofMillis(990), Duration.ofMillis(1_980));
    }

    @Test
    void isNotMisledByAFewSlowOnes() {
        for (int n = 0; n < 95; n++) {
            latency.record(Duration.ofMillis(1));
        }
        for (int n = 0; n < 5; n++) {
            latency.record(Duration.ofHours(1));
        }

        assertThat(latency.summary().p50()).isLessThan(Duration.ofMillis(3));
        assertThat(latency.summary().p95()).isLessThan(Duration.ofMillis(3));
        assertThat(latency.summary().p99()).isGreaterThanOrEqualTo(Duration.ofHours(1));
    }

    @Test
    void takesAnyDuration() {
        latency.record(Duration.ofNanos(-5));
        latency.record(Duration.ZERO);
        latency.record(Duration.ofDays(365));

        assertThat(latency.summary().count()).isEqualTo(3);
        assertThat(latency.summary().p50()).isEqualTo(Duration.ofNanos(2_000));
        assertThat(latency.summary().p99()).isGreaterThan(Duration.ofDays(1));
    }
}
