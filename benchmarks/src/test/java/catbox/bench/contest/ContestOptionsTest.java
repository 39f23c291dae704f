package catbox.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ContestOptionsTest {

    @Test
    void takesWorkloadsAndOptionsInAnyOrder() {
        ContestOptions options =
                ContestOptions.of(List.of("--quick", "w1", "--rounds", "5", "w3", "--only", "catbox,gruelbox"));

        assertThat(options.workloads()).containsExactly("w1", "w3");
        assertThat(options.extent().rounds()).isEqualTo(5);
        assertThat(options.extent().quick()).isTrue();
        assertThat(options.filter().admits(Entrant.GRUELBOX)).isTrue();
        assertThat(options.filter().admits(Entrant.DEBEZIUM)).isFalse();
    }

    @Test
    void runsThreeRoundsOfEverythingByDefault() {
        ContestOptions options = ContestOptions.of(List.of());

        assertThat(options.workloads()).isEmpty();
        assertThat(options.extent().rounds()).isEqualTo(3);
        assertThat(options.extent().quick()).isFalse();
    }

    @Test
    void namesTheAllowedArgumentsWhenOneIsUnknown() {
        assertThatThrownBy(() -> ContestOptions.of(List.of("w9"))).hasMessageContainingAll("\"w9\"", "w1", "--rounds");
        assertThatThrownBy(() -> ContestOptions.of(List.of("--only", "nobody")))
                .hasMessageContainingAll("\"nobody\"", "catbox", "debezium");
        assertThatThrownBy(() -> ContestOptions.of(List.of("--rounds", "none"))).hasMessageContaining("1 to 9999");
        assertThatThrownBy(() -> ContestOptions.of(List.of("w1", "--case", "100k,8 writers")))
                .hasMessageContainingAll("\"8 writers\"", "100k", "hot key");
        assertThatThrownBy(() -> ContestOptions.of(List.of("--rounds"))).hasMessageContaining("missing after --rounds");
    }

    @Test
    void acceptsACaseOfAnyWorkload() {
        assertThat(ContestOptions.of(List.of("--case", "8 writers,HOT KEY"))
                        .filter()
                        .cases())
                .containsExactly("8 writers", "hot key");
    }

    @Test
    void resumesWithATimeLimit() {
        ContestOptions options = ContestOptions.of(List.of("w2", "--resume", "--minutes", "2"));

        assertThat(options.extent()).isEqualTo(new ContestOptions.Extent(3, false, true, 2));
    }

    @Test
    void shortRunAcceptsItsOwnArguments() {
        assertThat(Baseline.words()).hasSize(3).allSatisfy(words -> {
            ContestOptions options = ContestOptions.of(words);
            Workload workload = Contest.workloads().stream()
                    .filter(each -> options.workloads().contains(each.name()))
                    .findFirst()
                    .orElseThrow();
            assertThat(workload.cases(true))
                    .filteredOn(options.filter()::admits)
                    .hasSize(1);
            assertThat(Entrant.of(workload.name()))
                    .filteredOn(options.filter()::admits)
                    .hasSize(2);
        });
    }
}
