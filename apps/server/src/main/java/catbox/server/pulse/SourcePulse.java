package catbox.server.pulse;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.operations.StatisticsStore;

/** Samples one source. One thread calls it every second; any thread reads the history. */
final class SourcePulse {

    static final Duration HISTORY = Duration.ofMinutes(15);

    private static final Logger LOG = System.getLogger(SourcePulse.class.getName());

    /** How far the store counts events. */
    private static final int SAMPLE_MAX = 10_000;

    private final String source;
    private final PulseCounter counter;
    private final Supplier<Optional<StatisticsStore>> store;
    private final Executor statisticsReads;
    private final AtomicBoolean reading = new AtomicBoolean();
    private final Deque<LiveFigures> history = new ArrayDeque<>(); // guarded by this
    private volatile @Nullable OutboxStatistics statistics; // written by the read in flight

    SourcePulse(
            String source, PulseCounter counter, Supplier<Optional<StatisticsStore>> store, Executor statisticsReads) {
        this.source = source;
        this.counter = counter;
        this.store = store;
        this.statisticsReads = statisticsReads;
    }

    /**
     * Returns the figures since the last sample.
     *
     * @param readStatistics whether to read the store's statistics too, on another thread, for later samples
     */
    LiveFigures sample(Instant now, Duration since, boolean readStatistics) {
        if (readStatistics && reading.compareAndSet(false, true)) {
            statisticsReads.execute(this::readStatistics);
        }
        LiveFigures pulse = pulse(now, since);
        synchronized (this) {
            history.addLast(pulse);
            while (history.getFirst().at().isBefore(now.minus(HISTORY))) {
                history.removeFirst();
            }
        }
        return pulse;
    }

    private LiveFigures pulse(Instant now, Duration since) {
        PulseCounter.Counted counted = counter.empty();
        double seconds = Math.max(0.001, since.toNanos() / 1e9);
        OutboxStatistics seen = statistics;
        return new LiveFigures(
                source,
                now,
                counted.delivered() / seconds,
                counted.failed() / seconds,
                counted.p50Millis(),
                counted.p99Millis(),
                seen == null ? null : seen.pending(),
                seen == null ? null : seconds(seen.oldestPendingAge()),
                seen == null ? null : seen.dead());
    }

    private static double seconds(@Nullable Duration age) {
        return age == null ? 0 : age.toMillis() / 1e3;
    }

    private void readStatistics() {
        try {
            statistics = store.get().map(each -> each.statistics(SAMPLE_MAX)).orElse(null);
        } catch (RuntimeException e) {
            statistics = null; // Unknown figures are not shown; the health of the source says why.
            LOG.log(Level.DEBUG, "the statistics of {0} cannot be read: {1}", source, ErrorText.of(e));
        } finally {
            reading.set(false);
        }
    }

    /** Returns the last 15 minutes, oldest first. */
    synchronized List<LiveFigures> history() {
        return List.copyOf(history);
    }
}
