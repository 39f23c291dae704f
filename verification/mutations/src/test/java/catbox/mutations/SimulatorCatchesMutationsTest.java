package catbox.mutations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Is the simulator worth anything? Each of these faults is built into the real sources, and it has to notice. The
 * number of seeds that it took is printed: one that takes many belongs to those that only {@code ./catbox mutate} applies.
 */
class SimulatorCatchesMutationsTest {

    private static final String SOURCE = "outbox/testkit/FencedSettle.java";

    private final Checkout checkout = Checkout.here();

    static List<Mutation> mutations() {
        return Mutations.forTheGate();
    }

    static Stream<Mutation> allMutations() {
        return Mutations.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void notices(Mutation mutation) throws IOException, ReflectiveOperationException {
        Compiled compiled = Compiled.of(checkout, mutation.edits());

        SimulatedMutant.Outcome outcome = new SimulatedMutant(compiled).run(Catcher.GATE_SEEDS_MAX);

        System.out.printf("%4d seeds: %s, %s%n", outcome.runs(), mutation, outcome.firstViolation());
        assertThat(outcome.isGood())
                .as("%s (%s) survived %d seeds", mutation, mutation.why(), outcome.runs())
                .isFalse();
    }

    @ParameterizedTest
    @MethodSource("allMutations")
    void everyMutationFitsTheSources(Mutation mutation) throws IOException {
        assertThat(checkout.apply(mutation.edits())).isNotEmpty();
    }

    @Test
    void everyMutationHasANameOfItsOwn() {
        assertThat(Mutations.ALL).extracting(Mutation::name).doesNotHaveDuplicates();
    }

    @Test
    void findsNothingInWhatWasNotChanged() throws IOException, ReflectiveOperationException {
        Edit same =
                new Edit(SOURCE, "results.add(SettleResult.Item.WRITTEN);", "results.add(SettleResult.Item.WRITTEN);");

        SimulatedMutant.Outcome outcome = new SimulatedMutant(Compiled.of(checkout, List.of(same))).run(200);

        assertThat(outcome.isGood()).as(outcome.story()).isTrue();
    }

    @Test
    void namesTheSourceAndTheTextOfAnEditThatDoesNotFit() {
        Edit edit = new Edit(SOURCE, "not to be found", "");

        assertThatThrownBy(() -> Compiled.of(checkout, List.of(edit)))
                .hasMessageContainingAll(SOURCE, "0 times", "not to be found", "adapt");
    }

    @Test
    void refusesAMutantThatDoesNotCompile() {
        Edit edit = new Edit(SOURCE, "results.add(SettleResult.Item.WRITTEN);", "int;");

        assertThatThrownBy(() -> Compiled.of(checkout, List.of(edit))).hasMessageContaining("does not compile");
    }
}
