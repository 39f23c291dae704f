package catbox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator's invariants on a real store; a store has a subclass that opens it. {@code -Doutbox.simulation.seed=17}
 * runs one seed and tells its whole story; {@code -Doutbox.simulation.seeds=500} runs more of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // Each store has its own number of seeds.
public abstract class RealStoreSimulation {

    private static final @Nullable Long ONLY = Long.getLong("outbox.simulation.seed");

    private final int seeds;

    /** @param seeds how many the gate runs */
    protected RealStoreSimulation(int seeds) {
        this.seeds = Integer.getInteger("outbox.simulation.seeds", seeds);
    }

    /** Opens the store, without events or nodes. */
    protected abstract RealStore openStore();

    final LongStream seeds() {
        return ONLY == null ? LongStream.range(0, seeds) : LongStream.of(ONLY);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void everyPromiseIsKeptWhateverGoesWrong(long seed) {
        long begun = System.nanoTime();
        try (RealStore store = openStore()) {
            Simulation.Report report = Simulation.run(seed, store, ONLY == null ? null : System.out::println);
            System.out.printf(
                    "seed %d: %d events, %d duplicates, %d ms%n",
                    seed, report.events(), report.duplicates(), (System.nanoTime() - begun) / 1_000_000);
            assertThat(report)
                    .as(
                            "run it again with -Dit.test=%s -Doutbox.simulation.seed=%d",
                            getClass().getSimpleName(), seed)
                    .matches(Simulation.Report::isGood);
        }
    }
}
