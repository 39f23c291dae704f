package catbox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The simulator's invariants on a real store; a store has a subclass that opens it. {@code -Doutbox.simulation.seed=17}
 * runs one seed and tells its whole story; {@code -Doutbox.simulation.seeds=500} runs more of them.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
public abstract class RealStoreSimulation {

    private static final @Nullable Long ONLY = Long.getLong("outbox.simulation.seed");

    private final int seeds;

    /** @param seeds how many the gate runs */
    protected RealStoreSimulation(int seeds) {
        this.seeds = Integer.getInteger("outbox.simulation.seeds", seeds);
    }

    /** Opens the store, without events or nodes. */
    protected abstract RealStore openStore();

    @Test
    void everyPromiseIsKeptWhateverGoesWrong() {
        List<Simulation.Report> reports = new ArrayList<>();
        if (ONLY != null) {
            try (RealStore store = openStore()) {
                reports.add(Simulation.run(ONLY, store, System.out::println));
            }
        }
        for (long seed = 0;
                ONLY == null && seed < seeds && reports.stream().allMatch(Simulation.Report::isGood);
                seed++) {
            reports.add(run(seed));
        }

        assertThat(reports)
                .as(
                        "run it again with -Dit.test=%s -Doutbox.simulation.seed=<seed>",
                        getClass().getSimpleName())
                .allMatch(Simulation.Report::isGood);
    }

    private Simulation.Report run(long seed) {
        long begun = System.nanoTime();
        try (RealStore store = openStore()) {
            Simulation.Report report = Simulation.run(seed, store, null);
            System.out.printf(
                    "seed %d: %d events, %d duplicates, %d ms%n",
                    seed, report.events(), report.duplicates(), (System.nanoTime() - begun) / 1_000_000);
            return report;
        }
    }
}
