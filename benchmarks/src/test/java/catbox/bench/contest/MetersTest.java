package catbox.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class MetersTest {

    @Test
    void anEndedProcessKeepsItsTimeAndANewOneBeginsAtZero() {
        Meters before = meters(Map.of(1L, 5_000L), Map.of(10L, 900_000L, 11L, 1_000L), new Meters.Database(100, 5, 50));
        Meters after = meters(Map.of(1L, 7_000L), Map.of(11L, 2_000L, 12L, 3_000L), new Meters.Database(1_100, 7, 90));

        assertThat(after.perEvent(before, 10))
                .containsEntry("cpuRelayMicros", 200.0)
                .containsEntry("cpuPostgresMicros", 400.0)
                .containsEntry("cpuKafkaMicros", 0.0)
                .containsEntry("walBytes", 100.0)
                .containsEntry("commits", 0.2)
                .containsEntry("statements", 4.0);
    }

    @Test
    void nothingIsUsedPerEventWhenThereWereNone() {
        assertThat(Meters.per(10, 0)).isZero();
    }

    private static Meters meters(Map<Long, Long> relay, Map<Long, Long> postgres, Meters.Database database) {
        return new Meters(new Meters.Processors(relay, postgres, Map.of(9L, 1_000L)), database);
    }
}
