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

/** Samples one source. One thread takes the samples, and all threads read them. */
final class SourcePulse {

    static final Duration HISTORY = Duration.ofMinutes(15);

    private static final Logger LOG = System.getLogger(SourcePulse.class.getName());

    /** The limit to which the store counts. */
    private static final int SAMPLE_MAX = 10_000;

    private final String source;
    private final PulseCounter counter;
    private final Supplier<Optional<StatisticsStore>> store;
    private final Executor queries;
    private final AtomicBoolean querying = new AtomicBoolean();
    private final Deque<LiveFigures> history = new ArrayDeque<>(); // guarded by this
    private volatile @Nullable OutboxStatistics statistics; // written by the running query

    SourcePulse(String source, PulseCounter counter, Supplier<Optional<StatisticsStore>> store, Executor queries) {
        this.source = source;
        this.counter = counter;
        this.store = store;
        this.queries = queries;
    }

    /**
     * Returns the figures of the time since the last sample.
     *
     * @param query whether to start a query of the store on another thread, whose result the next sample has
     */
    LiveFigures sample(Instant now, Duration since, boolean query) {
        if (query && querying.compareAndSet(false, true)) {
            queries.execute(this::queryStore);
        }
        LiveFigures figures = figures(now, since);
        synchronized (this) {
            history.addLast(figures);
            while (history.getFirst().at().isBefore(now.minus(HISTORY))) {
                history.removeFirst();
            }
        }
        return figures;
    }

    private LiveFigures figures(Instant now, Duration since) {
        PulseCounter.Counted counted = counter.empty();
        double seconds = Math.max(0.001, since.toNanos() / 1e9);
        OutboxStatistics known = statistics;
        return new LiveFigures(
                source,
                now,
                counted.delivered() / seconds,
                counted.failed() / seconds,
                counted.p50Millis(),
                counted.p99Millis(),
                known == null ? null : known.pending(),
                known == null ? null : seconds(known.oldestPendingAge()),
                known == null ? null : known.dead());
    }

    private static double seconds(@Nullable Duration age) {
        return age == null ? 0 : age.toMillis() / 1e3;
    }

    private void queryStore() {
        try {
            statistics = store.get().map(each -> each.statistics(SAMPLE_MAX)).orElse(null);
        } catch (RuntimeException e) {
            statistics = null; // The figures are unknown, and the source's health has the reason.
            LOG.log(Level.DEBUG, "the statistics of {0} cannot be read: {1}", source, ErrorText.of(e));
        } finally {
            querying.set(false);
        }
    }

    /** The figures of the last quarter of an hour, oldest first. */
    synchronized List<LiveFigures> history() {
        return List.copyOf(history);
    }
}
