package catbox.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.bench.contender.JsonLine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TallyTest {

    private final Tally tally = new Tally();

    @Test
    void countsFromTheFirstEventToTheLastSettlementOfAllProcesses() {
        hear(1, 1_000_000, 0, 500);
        hear(2, 1_500_000, 0, 900);
        hear(1, 2_000_000, 30, 3_500);
        hear(2, 3_000_000, 10, 1_900);

        assertThat(tally.settled()).isEqualTo(40);
        assertThat(tally.values())
                .containsEntry("events", 40L)
                .containsEntry("micros", 2_000_000L)
                .containsEntry("perSecond", 20.0)
                .containsEntry("allocatedBytes", 100.0);
    }

    @Test
    void aProcessWithoutEventsChangesNothing() {
        hear(1, 1_000_000, 0, 0);
        hear(1, 2_000_000, 10, 0);

        assertThat(tally.hear(2, Map.of("line", "started"))).isFalse();
        assertThat(tally.values()).containsEntry("perSecond", 10.0);
    }

    @Test
    void hasNotStartedBeforeTheFirstEvent() {
        assertThat(tally.hasStarted()).isFalse();
        hear(1, 1_000_000, 0, 0);
        assertThat(tally.hasStarted()).isTrue();
        assertThat(tally.values()).containsEntry("perSecond", 0.0);
    }

    @Test
    void recognisesTheTurnOfAResult() {
        Trial trial = new Trial("w1", "100k", "catbox", 2);

        assertThat(Trial.in(List.of(
                        JsonLine.read(JsonLine.write(trial.line())),
                        Map.of("workload", "contender", "contender", "x"))))
                .containsExactly(trial);
    }

    private void hear(long process, long micros, long settled, long allocated) {
        assertThat(tally.hear(
                        process,
                        Map.of(
                                "line",
                                "progress",
                                "micros",
                                micros,
                                "settled",
                                settled,
                                "allocatedBytes",
                                allocated,
                                "collectionMillis",
                                0L)))
                .isTrue();
    }
}
