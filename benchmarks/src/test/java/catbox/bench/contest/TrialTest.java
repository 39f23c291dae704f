package catbox.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TrialTest {

    private static final List<String> ALL = List.of("one", "two", "three", "four", "five");

    @Test
    void everyRoundHasEachContenderOnceInAnotherOrder() {
        Map<Long, List<String>> rounds = Trial.of("w1", "100k", ALL, 3).stream()
                .collect(
                        Collectors.groupingBy(Trial::round, Collectors.mapping(Trial::contender, Collectors.toList())));

        assertThat(rounds).hasSize(3);
        assertThat(rounds.values())
                .doesNotHaveDuplicates()
                .allSatisfy(round -> assertThat(round).containsExactlyInAnyOrderElementsOf(ALL));
    }

    @Test
    void runsCanBeCompared() {
        assertThat(Trial.of("w1", "100k", ALL, 3)).isEqualTo(Trial.of("w1", "100k", ALL, 3));
    }
}
