package catbox.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import outbox.spi.SettleRequest.DoneRows;

/** Drains a million pending events with a heap of 64 MB. */
final class MemoryBenchmark {

    private static final int EVENTS = 1_000_000;

    private MemoryBenchmark() {}

    /** Runs the drain in a separate process with the small heap, on the database of this one. */
    static void run() throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process child = new ProcessBuilder(List.of(
                        java,
                        "-Xmx64m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Benchmarks.class.getName(),
                        "memory-child"))
                .inheritIO()
                .start();
        int code = child.waitFor();
        if (code != 0) {
            throw new IllegalStateException("the relay with 64 MB ended with exit code " + code);
        }
    }

    static void inChild() throws SQLException, InterruptedException {
        try (Bench bench = new Bench()) {
            new Backlog(EVENTS, 1_000, 500).write(bench);
            try (RelayRun run = new RelayRun(bench, EVENTS, RelayRun.settling(DoneRows.KEEP), RelayRun.noop())) {
                double rate = DrainBenchmark.perSecond(EVENTS, run.nanos());
                long collections = ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(each -> Math.max(0, each.getCollectionTime()))
                        .sum();
                System.out.printf(
                        Locale.ROOT,
                        "drain %,d events with a heap of %d MB: %,.0f/s, %d ms of garbage collection, %d pending%n",
                        EVENTS,
                        Runtime.getRuntime().maxMemory() >> 20,
                        rate,
                        collections,
                        Backlog.pending(bench));
            }
        }
    }
}
