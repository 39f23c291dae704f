package catbox.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.devservices.MongoDbServer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The short form of the chaos run. A failing run names its seed, which chooses the same acts in the same order with
 * {@code -Dchaos.seed}, and leaves its logs in the target folder.
 */
class ChaosIT {

    @Test
    void losesAndReordersNothingWhateverHappensToTheProcesses() throws Exception {
        run(Server.Kind.POSTGRES);
    }

    @Test
    void losesAndReordersNothingOnMongoDb() throws Exception {
        Optional<String> reason = MongoDbServer.unavailableReason();
        reason.ifPresent(why -> System.err.println("!!! SKIPPED: the chaos run on MongoDB. " + why));
        Assumptions.assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
        run(Server.Kind.MONGODB);
    }

    private static void run(Server.Kind server) throws Exception {
        long seed = Long.getLong("chaos.seed", new Random().nextInt(1_000_000));
        Path folder = Path.of("target", "chaos-runs", "seed-" + seed + "-" + System.nanoTime());
        System.out.println("chaos run on " + server + " with seed " + seed + " in " + folder.toAbsolutePath());

        Report report = new ChaosRun(ChaosRun.Plan.quick(seed, server, folder), step -> {}).run();

        System.out.println(report.toMarkdown());
        assertThat(report.findings().lines(20)).as("faults of seed %s", seed).isEmpty();
        assertThat(report.history().committed()).hasSizeGreaterThan(200);
        assertThat(report.takeovers()).hasSizeGreaterThanOrEqualTo(2);
    }
}
