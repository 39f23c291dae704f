package catbox.server.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.internal.SupervisedLoop;
import outbox.spi.TimeSource;

/**
 * Asks a source's database for a sign of life every second, on a thread of its own, so that whoever wants to know how the
 * database is never waits for it.
 */
final class DatabaseWatch implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int ANSWER_SECONDS_MAX = 2;

    /** Longer than an answer may take, so that one late answer is no outage. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(4);

    private final Supplier<Optional<SourceDatabase>> database;
    private final TimeSource time;
    private final SupervisedLoop loop;
    private volatile Seen seen; // written by the loop

    /**
     * What is known.
     *
     * @param problem what the last answer said is wrong; null when all was well
     * @param askedNanos when that answer came, or the question that waits for one was asked
     */
    private record Seen(@Nullable String problem, long askedNanos, boolean waiting) {}

    /** Watches the database that is given, while one is. */
    DatabaseWatch(String name, Supplier<Optional<SourceDatabase>> database, TimeSource time) {
        this.database = database;
        this.time = time;
        this.loop = new SupervisedLoop("catbox-database-" + name, this::askAndRest);
        this.seen = new Seen(null, time.nanoTime(), false);
    }

    void start() {
        loop.start();
    }

    private boolean askAndRest() throws InterruptedException {
        runOnce();
        loop.rest(INTERVAL);
        return true;
    }

    void runOnce() {
        SourceDatabase asked = database.get().orElse(null);
        if (asked == null) {
            seen = new Seen(null, time.nanoTime(), false);
            return;
        }
        String before = seen.problem();
        seen = new Seen(before, time.nanoTime(), true);
        seen = new Seen(problem(asked), time.nanoTime(), false);
    }

    private static @Nullable String problem(SourceDatabase asked) {
        try {
            asked.probe(ANSWER_SECONDS_MAX);
            return null;
        } catch (RuntimeException e) {
            return Problem.words(e);
        }
    }

    /** What is wrong with the database, as far as is known now; empty when it answers. Waits for nothing. */
    Optional<String> problem() {
        Seen now = seen;
        if (now.problem() != null) {
            return Optional.of(now.problem());
        }
        Duration silent = Duration.ofNanos(time.nanoTime() - now.askedNanos());
        return now.waiting() && silent.compareTo(SILENCE_MAX) > 0
                ? Optional.of("the database has not answered for " + silent.toSeconds() + " s")
                : Optional.empty();
    }

    @Override
    public void close() {
        loop.interrupt();
    }
}
