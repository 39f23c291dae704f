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

/** Samples all sources once a second. Statistics are read rarely while there are no watchers. */
public final class Pulses implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int STATISTICS_EVERY_WATCHED = 2;
    private static final int STATISTICS_EVERY_UNWATCHED = 15;
    private static final Duration WATCHED_AFTER_REQUEST = Duration.ofSeconds(30);

    private final TimeSource time;
    private final Executor statisticsReads;
    private final Map<String, SourcePulse> sources = new LinkedHashMap<>();
    private final List<Consumer<LiveFigures>> watchers = new CopyOnWriteArrayList<>();
    private final SupervisedLoop loop;
    private @Nullable Long sampledAtNanos; // used by the loop's thread alone
    private long samples; // the same
    private volatile long requestedAtNanos;
    private volatile boolean requested;

    public Pulses() {
        this(
                TimeSource.SYSTEM,
                task -> Thread.ofVirtual().name("catbox-pulse-statistics").start(task));
    }

    /** With another clock, and another executor for reading statistics. */
    Pulses(TimeSource time, Executor statisticsReads) {
        this.time = time;
        this.statisticsReads = statisticsReads;
        this.loop = new SupervisedLoop("catbox-pulse", this::sampleAndRest);
    }

    /** Adds a source, before the first sample. */
    public void add(String source, PulseCounter counter, Supplier<Optional<StatisticsStore>> store) {
        sources.put(source, new SourcePulse(source, counter, store, statisticsReads));
    }

    public void start() {
        loop.start();
    }

    private boolean sampleAndRest() throws InterruptedException {
        loop.rest(INTERVAL);
        sampleOnce();
        return true;
    }

    /** Samples every source once and publishes the figures to all watchers. */
    void sampleOnce() {
        long nanos = time.nanoTime();
        Duration since = sampledAtNanos == null ? INTERVAL : Duration.ofNanos(nanos - sampledAtNanos);
        sampledAtNanos = nanos;
        boolean statistics =
                samples++ % (isWatched(nanos) ? STATISTICS_EVERY_WATCHED : STATISTICS_EVERY_UNWATCHED) == 0;
        List<LiveFigures> pulses = new ArrayList<>();
        sources.values().forEach(source -> pulses.add(source.sample(time.instant(), since, statistics)));
        pulses.forEach(pulse -> watchers.forEach(watcher -> watcher.accept(pulse)));
    }

    private boolean isWatched(long nanos) {
        return !watchers.isEmpty() || (requested && nanos - requestedAtNanos < WATCHED_AFTER_REQUEST.toNanos());
    }

    /** Adds a watcher of all figures, which must not wait; the result removes it. */
    public Runnable watch(Consumer<LiveFigures> watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    /** Returns the last 15 minutes of a source, oldest first; empty if there is no such source. */
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
