package catbox.server.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.internal.SupervisedLoop;
import outbox.spi.TimeSource;

/**
 * Probes a source's database every second on a thread of its own, so that a health check never waits for the database.
 */
final class DatabaseWatch implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int ANSWER_SECONDS_MAX = 2;

    /** Longer than an answer may take, so that one late answer does not count as an outage. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(4);

    private final Supplier<Optional<SourceDatabase>> database;
    private final TimeSource time;
    private final SupervisedLoop loop;
    private volatile Probe last; // written by the loop

    /**
     * The result of the last probe.
     *
     * @param problem of the last probe that has ended; null when the database answered
     * @param atNanos when the last probe ended or, while one waits for its answer, began
     */
    private record Probe(@Nullable String problem, long atNanos, boolean waiting) {}

    /** Probes the database that the supplier returns, as long as it returns one. */
    DatabaseWatch(String name, Supplier<Optional<SourceDatabase>> database, TimeSource time) {
        this.database = database;
        this.time = time;
        this.loop = new SupervisedLoop("catbox-database-" + name, this::probeAndRest);
        this.last = new Probe(null, time.nanoTime(), false);
    }

    void start() {
        loop.start();
    }

    private boolean probeAndRest() throws InterruptedException {
        runOnce();
        loop.rest(INTERVAL);
        return true;
    }

    void runOnce() {
        SourceDatabase probed = database.get().orElse(null);
        if (probed == null) {
            last = new Probe(null, time.nanoTime(), false);
            return;
        }
        String before = last.problem();
        last = new Probe(before, time.nanoTime(), true);
        last = new Probe(problem(probed), time.nanoTime(), false);
    }

    private static @Nullable String problem(SourceDatabase probed) {
        try {
            probed.probe(ANSWER_SECONDS_MAX);
            return null;
        } catch (RuntimeException e) {
            return Problem.describe(e);
        }
    }

    /** The problem of the database according to the last probe; empty when it answered. Does not wait. */
    Optional<String> problem() {
        Probe now = last;
        if (now.problem() != null) {
            return Optional.of(now.problem());
        }
        Duration silent = Duration.ofNanos(time.nanoTime() - now.atNanos());
        return now.waiting() && silent.compareTo(SILENCE_MAX) > 0
                ? Optional.of("the database has not answered for " + silent.toSeconds() + " s")
                : Optional.empty();
    }

    @Override
    public void close() {
        loop.interrupt();
    }
}
