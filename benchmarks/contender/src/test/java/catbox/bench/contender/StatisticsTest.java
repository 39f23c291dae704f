package catbox.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StatisticsTest {

    @Test
    void theMedianIsTheOneInTheMiddleOrBetweenTheTwo() {
        assertThat(Statistics.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
        assertThat(Statistics.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3.0);
        assertThatThrownBy(() -> Statistics.median(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPercentileIsAMeasuredValue() {
        double[] thousand = IntStream.rangeClosed(1, 1_000).mapToDouble(i -> i).toArray();

        assertThat(Statistics.percentile(thousand, 50)).isEqualTo(500);
        assertThat(Statistics.percentile(thousand, 99)).isEqualTo(990);
        assertThat(Statistics.percentile(thousand, 99.9)).isEqualTo(999);
        assertThat(Statistics.percentile(new double[] {7}, 99)).isEqualTo(7);
    }

    @Test
    void acceptsLatenciesInAnyOrder() {
        assertThat(Statistics.latencies(new double[] {3, 1, 2}))
                .containsEntry("p50", 2.0)
                .containsEntry("p99", 3.0)
                .containsEntry("max", 3.0);
    }
}
