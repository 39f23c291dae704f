package catbox.server.pulse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.internal.SupervisedLoop;
import outbox.spi.TimeSource;
import outbox.spi.operations.StatisticsStore;

/** Samples all sources once a second. Queries the stores less often while there are no watchers. */
public final class Pulses implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int SAMPLES_PER_QUERY_WATCHED = 2;
    private static final int SAMPLES_PER_QUERY_UNWATCHED = 15;
    private static final Duration WATCHED_AFTER_REQUEST = Duration.ofSeconds(30);

    private final TimeSource time;
    private final Executor queries;
    private final Map<String, SourcePulse> sources = new LinkedHashMap<>();
    private final List<Consumer<LiveFigures>> watchers = new CopyOnWriteArrayList<>();
    private final SupervisedLoop loop;
    private @Nullable Long sampledAtNanos; // of the sampling thread only
    private long samples; // of the sampling thread only
    private volatile long requestedAtNanos;
    private volatile boolean requested;

    public Pulses() {
        this(
                TimeSource.SYSTEM,
                task -> Thread.ofVirtual().name("catbox-pulse-query").start(task));
    }

    /** With another clock, and another executor for queries of the stores. */
    Pulses(TimeSource time, Executor queries) {
        this.time = time;
        this.queries = queries;
        this.loop = new SupervisedLoop("catbox-pulse", this::sampleAndRest);
    }

    /** Adds a source before the first sample. */
    public void add(String source, PulseCounter counter, Supplier<Optional<StatisticsStore>> store) {
        sources.put(source, new SourcePulse(source, counter, store, queries));
    }

    public void start() {
        loop.start();
    }

    private boolean sampleAndRest() throws InterruptedException {
        loop.rest(INTERVAL);
        sampleOnce();
        return true;
    }

    /** Samples every source, and passes the figures to all watchers. */
    void sampleOnce() {
        long nanos = time.nanoTime();
        Duration since = sampledAtNanos == null ? INTERVAL : Duration.ofNanos(nanos - sampledAtNanos);
        sampledAtNanos = nanos;
        boolean query = samples++ % (isWatched(nanos) ? SAMPLES_PER_QUERY_WATCHED : SAMPLES_PER_QUERY_UNWATCHED) == 0;
        List<LiveFigures> figures = new ArrayList<>();
        sources.values().forEach(source -> figures.add(source.sample(time.instant(), since, query)));
        figures.forEach(each -> watchers.forEach(watcher -> watcher.accept(each)));
    }

    private boolean isWatched(long nanos) {
        return !watchers.isEmpty() || (requested && nanos - requestedAtNanos < WATCHED_AFTER_REQUEST.toNanos());
    }

    /** Passes all figures to the watcher, which must not wait, until the returned action is run. */
    public Runnable watch(Consumer<LiveFigures> watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    /** The figures of a source for the last quarter of an hour, oldest first; empty if there is no such source. */
    public List<LiveFigures> history(String source) {
        requestedAtNanos = time.nanoTime();
        requested = true;
        SourcePulse pulse = sources.get(source);
        return pulse == null ? List.of() : pulse.history();
    }

    public Map<String, List<LiveFigures>> history() {
        Map<String, List<LiveFigures>> all = new LinkedHashMap<>();
        sources.keySet().forEach(source -> all.put(source, history(source)));
        return all;
    }

    @Override
    public void close() {
        loop.interrupt();
    }
}
