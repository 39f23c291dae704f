package catbox.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LatencyTest {

    @Test
    void aMissingEventHasNoLatency() {
        List<Double> millis = Latency.millis(new long[] {1_000, 2_000, 3_000}, new long[] {1_500, 0, 2_900});

        assertThat(millis).containsExactly(0.5, -1.0, 0.0);
        assertThat(Latency.latencies(millis)).containsEntry("p50", 0.0).containsEntry("max", 0.5);
    }

    @Test
    void theRateCountsTheStepsBetweenCommits() {
        assertThat(Latency.perSecond(new long[] {3_000_000, 1_000_000, 2_000_000}))
                .isEqualTo(1.0);
        assertThat(Latency.perSecond(new long[] {1_000_000})).isZero();
    }

    @Test
    void aHeldTransactionIsComparedWithTheTimeBeforeIt() {
        Map<String, Object> values =
                HeldTransaction.values(List.of(1.0, 2.0), List.of(3.0, 6.0), Map.of("duplicates", 0L));

        assertThat(values)
                .containsEntry("freep99", 2.0)
                .containsEntry("p50", 3.0)
                .containsEntry("p99", 6.0)
                .containsEntry("slowdown", 3.0)
                .containsEntry("duplicates", 0L);
    }

    @Test
    void reportsTheBacklogThatGrewWhileWritersWrote() {
        long[] committed = {1_000_000, 2_000_000, 3_000_000, 0};
        long[] arrived = {1_500_000, 2_900_000, 3_600_000, 0};

        assertThat(Sustained.keepingUp(committed, arrived))
                .containsEntry("publishedPerSecond", 1.5)
                .containsEntry("perSecond", 1.0)
                .containsEntry("backlogAtEnd", 1L)
                .containsEntry("catchUpMillis", 600.0);
    }
}
