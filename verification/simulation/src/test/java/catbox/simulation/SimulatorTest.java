package catbox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.relay.internal.node.RelayNode;
import outbox.testkit.StoreFixture;

/** The promises of the engine in thousands of runs in which everything goes wrong that can. */
class SimulatorTest {

    private static final int SEEDS = 2_000;

    @Test
    void everyPromiseIsKeptWhateverGoesWrong() {
        Simulator.Result result = Simulator.run(0, SEEDS);

        System.out.println("simulator: " + result);
        assertThat(result.bad()).as("%s", result).isEmpty();
        assertThat(result.runs()).isEqualTo(SEEDS);
        assertThat(result.reached())
                .as("a limit that no run comes to is not put to the test")
                .containsOnlyKeys(Stream.of(Reached.values()).map(Enum::name).toList());
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        for (long seed = 0; seed < 12; seed++) {
            assertThat(Simulation.run(seed)).isEqualTo(Simulation.run(seed));
        }
    }

    @Test
    void differentSeedsGiveDifferentRuns() {
        Set<Long> traces = new HashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            traces.add(Simulation.run(seed).trace());
        }
        assertThat(traces).hasSize(20);
    }

    /** Iteration orders of the JDK's immutable sets and identity hash codes change with every start of a JVM. */
    @Test
    void anotherProcessRunsTheSameSeedsWithTheSameTrace() throws IOException, InterruptedException {
        Process other = new ProcessBuilder(java(), "-cp", classPath(), Simulator.class.getName(), "0", "120")
                .redirectErrorStream(true)
                .start();
        Simulator.Result here = Simulator.run(0, 120);
        String there = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        other.waitFor();

        assertThat(there.strip()).isEqualTo(here.toString());
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static String classPath() {
        return Stream.of(Simulator.class, StoreFixture.class, RelayNode.class, EventEnvelope.class)
                .map(SimulatorTest::locationOf)
                .map(Path::toString)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path locationOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void wallClocksDecideNothing() {
        for (long seed = 0; seed < 60; seed++) {
            assertThat(Simulation.runWithSteadyWallClocks(seed)).isEqualTo(Simulation.run(seed));
        }
    }

    @Test
    void aRunReportsItsStepsToItsListener() {
        List<String> story = new ArrayList<>();

        Simulation.Report told = Simulation.run(1, story::add);

        assertThat(told).isEqualTo(Simulation.run(1));
        assertThat(story).anyMatch(line -> line.contains("delivers")).anyMatch(line -> line.contains("Joined"));
    }

    @Test
    void aReportOfABadRunSaysHowToRunItAgain() {
        Simulation.Report bad = new Simulation.Report(4711, List.of("order: e2 before e1"), 1, 2, 0, Set.of());

        assertThat(bad.isGood()).isFalse();
        assertThat(bad.toString()).contains("seed 4711", "order: e2 before e1", "catbox.simulation.Simulator 4711 1");
    }
}
