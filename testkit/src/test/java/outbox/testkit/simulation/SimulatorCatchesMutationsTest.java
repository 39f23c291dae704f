package outbox.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Is the simulator worth anything? Each of these faults is built into the real sources, and it has to notice. The
 * number of seeds that it took is printed: one that takes many is one to think about.
 */
class SimulatorCatchesMutationsTest {

    private static final int SEEDS_MAX = 1_500;

    static List<Mutation> mutations() {
        return Mutation.ALL;
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void notices(Mutation mutation) throws IOException, ReflectiveOperationException {
        Mutant.Outcome outcome = Mutant.of(mutation.edits()).run(SEEDS_MAX);

        System.out.printf("%4d seeds: %s, %s%n", outcome.runs(), mutation, outcome.firstViolation());
        assertThat(outcome.isGood())
                .as("%s (%s) survived %d seeds", mutation, mutation.why(), outcome.runs())
                .isFalse();
    }

    @Test
    void findsNothingInWhatWasNotChanged() throws IOException, ReflectiveOperationException {
        Mutation.Edit same =
                new Mutation.Edit("outbox/testkit/FencedSettle.java", "int written = 0;", "int written = 0;");

        Mutant.Outcome outcome = Mutant.of(List.of(same)).run(200);

        assertThat(outcome.isGood()).as(outcome.story()).isTrue();
    }

    @Test
    void refusesAnEditThatDoesNotFit() {
        Mutation.Edit edit = new Mutation.Edit("outbox/testkit/FencedSettle.java", "not to be found", "");

        assertThatThrownBy(() -> Mutant.of(List.of(edit))).hasMessageContaining("0 times");
    }

    @Test
    void refusesAMutantThatDoesNotCompile() {
        Mutation.Edit edit = new Mutation.Edit("outbox/testkit/FencedSettle.java", "int written = 0;", "int;");

        assertThatThrownBy(() -> Mutant.of(List.of(edit))).hasMessageContaining("does not compile");
    }
}
