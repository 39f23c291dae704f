package outbox.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.testkit.simulation.Simulation;

/**
 * The simulator's invariants on a real replica set. {@code -Doutbox.simulation.seed=17} runs one seed and tells its whole
 * story; {@code -Doutbox.simulation.seeds=500} runs more of them.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class MongoSimulationIT {

    private static final int SEEDS = Integer.getInteger("outbox.simulation.seeds", 24);
    private static final Long ONLY = Long.getLong("outbox.simulation.seed");

    private static TestMongo mongo;

    @BeforeAll
    static void open() {
        mongo = TestMongo.open();
    }

    @AfterAll
    static void close() {
        if (mongo != null) {
            mongo.close();
        }
    }

    @Test
    void everyPromiseIsKeptWhateverGoesWrong() {
        List<Simulation.Report> reports = new ArrayList<>();
        if (ONLY != null) {
            reports.add(Simulation.run(ONLY, MongoRealStore.open(mongo), System.out::println));
        }
        for (long seed = 0;
                ONLY == null && seed < SEEDS && reports.stream().allMatch(Simulation.Report::isGood);
                seed++) {
            reports.add(run(seed));
        }

        assertThat(reports)
                .as("run it again with -Dit.test=MongoSimulationIT -Doutbox.simulation.seed=<seed>")
                .allMatch(Simulation.Report::isGood);
    }

    private static Simulation.Report run(long seed) {
        long begun = System.nanoTime();
        Simulation.Report report = Simulation.run(seed, MongoRealStore.open(mongo), null);
        System.out.printf(
                "seed %d: %d events, %d duplicates, %d ms%n",
                seed, report.events(), report.duplicates(), (System.nanoTime() - begun) / 1_000_000);
        return report;
    }
}
