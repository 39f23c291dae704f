package catbox.livedemo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks the demo in a separate process, as users run it. */
@Timeout(400)
class LiveDemoIT {

    private static final Pattern COUNTS =
            Pattern.compile("(?m)^  (committed|received) +(\\d+) (events|of them), by id");

    private static final Pattern LOGIN = Pattern.compile("(?m)^  (http://\\S+)  user (\\S+)  password (\\S+)$");

    @TempDir
    private Path folder;

    /** All processes that the demo was seen to start: a process that was killed and restarted counts twice. */
    private final Set<ProcessHandle> children = new HashSet<>();

    private Process demo;

    @AfterEach
    void endTheDemo() {
        if (demo != null) {
            demo.destroyForcibly();
        }
    }

    @Test
    void losesNothingWhenRelayAndKafkaAreKilledAndLeavesNothingRunning() throws Exception {
        int status;
        try (ServerSocket taken = occupied(8080)) {
            begin("--kill", "--seconds", "12");
            status = ended(Duration.ofMinutes(5));
            assertThat(taken.isClosed()).isFalse();
        }
        String output = output();
        assertThat(output)
                .contains("port 8080 is taken, so order-service gets ")
                .contains("!! the relay is killed (kill -9); orders continue")
                .contains("!! the relay is back")
                .contains("!! Kafka is killed (kill -9); orders continue")
                .contains("!! Kafka is back")
                .contains("Nothing was lost.")
                .containsPattern("order       kept for all \\d+ keys")
                .containsPattern("order +\\d+  OrderCompleted +published .* → consumed, +[\\d.]+ ms")
                .contains("/v3/api-docs (OpenAPI)", "/actuator/prometheus")
                .contains("refused     1 by the warehouse");
        assertThat(counts(output))
                .hasSize(2)
                .allMatch(count -> count > 20)
                .containsOnly(counts(output).getFirst());
        assertThat(status).isZero();
        assertNothingIsLeft();
    }

    @Test
    void showsAStuckOrderInTheConsoleAndStopsOnRequest() throws Exception {
        begin();
        awaitText("from now on an order every");
        Matcher login = LOGIN.matcher(output());
        assertThat(login.find()).describedAs(output()).isTrue();
        try (ConsoleVisit console = new ConsoleVisit(login.group(1), login.group(2), login.group(3))) {
            console.awaitOnFirstPage("there are tea, cake, cat food, a box");
        }
        demo.destroy();
        ended(Duration.ofSeconds(60));

        assertThat(output()).contains("Nothing was lost.").contains("  stopped");
        assertNothingIsLeft();
    }

    /** Killed while the last two are still starting, which is when most could remain. */
    @Test
    void leavesNothingBehindWhenItIsKilled() throws Exception {
        begin();
        awaitText("catbox-server starts");
        demo.descendants().forEach(children::add);
        demo.destroyForcibly();
        ended(Duration.ofSeconds(60));

        assertNothingIsLeft();
    }

    private void begin(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Path.of("target", "live-demo.jar").toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        demo = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }

    private int ended(Duration limit) throws InterruptedException, IOException {
        long started = System.nanoTime();
        while (!demo.waitFor(200, TimeUnit.MILLISECONDS)) {
            demo.descendants().forEach(children::add);
            assertThat(System.nanoTime() - started).describedAs(output()).isLessThan(limit.toNanos());
        }
        return demo.exitValue();
    }

    private void awaitText(String text) throws InterruptedException, IOException {
        long started = System.nanoTime();
        while (!output().contains(text)) {
            assertThat(demo.waitFor(200, TimeUnit.MILLISECONDS))
                    .describedAs(output())
                    .isFalse();
            demo.descendants().forEach(children::add);
            assertThat(System.nanoTime() - started)
                    .describedAs(output())
                    .isLessThan(Duration.ofMinutes(3).toNanos());
        }
    }

    /** The watchdogs may take a few seconds after the demo's own end, and far more on a busy machine. */
    private void assertNothingIsLeft() throws InterruptedException {
        assertThat(children).hasSizeGreaterThan(4);
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < 600 && children.stream().anyMatch(LiveDemoIT::runs); i++) {
            assertThat(never.await(100, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(children).noneMatch(LiveDemoIT::runs);
    }

    /** A process that has ended but was not collected, such as an orphan in a container, does not count. */
    private static boolean runs(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return process.isAlive() && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException gone) {
            return false;
        }
    }

    private static ServerSocket occupied(int port) throws IOException {
        try {
            return new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        } catch (IOException alreadyTaken) {
            return new ServerSocket(0); // The test can use this port too.
        }
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }

    private static List<Integer> counts(String output) {
        Matcher counts = COUNTS.matcher(output);
        List<Integer> found = new ArrayList<>();
        while (counts.find()) {
            found.add(Integer.parseInt(counts.group(2)));
        }
        return found;
    }
}
