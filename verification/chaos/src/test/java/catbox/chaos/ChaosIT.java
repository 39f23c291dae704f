package catbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The short form of the chaos run. A failing run names its seed, which chooses the same acts in the same order with
 * {@code -Dchaos.seed}, and leaves its logs in the target folder.
 */
class ChaosIT {

    @Test
    void nothingIsLostOrReorderedWhateverHappensToTheProcesses() throws Exception {
        long seed = Long.getLong("chaos.seed", new Random().nextInt(1_000_000));
        Path folder = Path.of("target", "chaos-runs", "seed-" + seed + "-" + System.nanoTime());
        System.out.println("chaos run with seed " + seed + " in " + folder.toAbsolutePath());

        Report report = new ChaosRun(ChaosRun.Plan.quick(seed, folder), step -> {}).run();

        System.out.println(report.toMarkdown());
        assertThat(report.findings().lines(20)).as("faults of seed %s", seed).isEmpty();
        assertThat(report.history().committed()).hasSizeGreaterThan(200);
        assertThat(report.takeovers()).hasSizeGreaterThanOrEqualTo(2);
    }
}
