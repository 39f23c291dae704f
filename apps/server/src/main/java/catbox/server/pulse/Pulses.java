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

/** The pulses of all sources. While nobody watches, the stores are looked at rarely. */
public final class Pulses implements AutoCloseable {

    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final int LOOK_EVERY_BEATS_WATCHED = 2;
    private static final int LOOK_EVERY_BEATS_ALONE = 15;
    private static final Duration WATCHED_AFTER_ASKING = Duration.ofSeconds(30);

    private final TimeSource time;
    private final Executor looks;
    private final Map<String, SourcePulse> sources = new LinkedHashMap<>();
    private final List<Consumer<LiveFigures>> watchers = new CopyOnWriteArrayList<>();
    private final SupervisedLoop loop;
    private @Nullable Long beatenAtNanos; // of the beating thread alone
    private long beats; // of the beating thread alone
    private volatile long askedAtNanos;
    private volatile boolean asked;

    public Pulses() {
        this(
                TimeSource.SYSTEM,
                task -> Thread.ofVirtual().name("catbox-pulse-look").start(task));
    }

    /** With another time, and another place to look at stores from. */
    Pulses(TimeSource time, Executor looks) {
        this.time = time;
        this.looks = looks;
        this.loop = new SupervisedLoop("catbox-pulse", this::beatAndRest);
    }

    /** Adds a source, before the first beat. */
    public void add(String source, PulseCounter counter, Supplier<Optional<StatisticsStore>> store) {
        sources.put(source, new SourcePulse(source, counter, store, looks));
    }

    public void start() {
        loop.start();
    }

    private boolean beatAndRest() throws InterruptedException {
        loop.rest(BEAT);
        beatOnce();
        return true;
    }

    /** One beat of every source, told to everybody who watches. */
    void beatOnce() {
        long nanos = time.nanoTime();
        Duration since = beatenAtNanos == null ? BEAT : Duration.ofNanos(nanos - beatenAtNanos);
        beatenAtNanos = nanos;
        boolean look = beats++ % (isWatched(nanos) ? LOOK_EVERY_BEATS_WATCHED : LOOK_EVERY_BEATS_ALONE) == 0;
        List<LiveFigures> pulses = new ArrayList<>();
        sources.values().forEach(source -> pulses.add(source.beat(time.instant(), since, look)));
        pulses.forEach(pulse -> watchers.forEach(watcher -> watcher.accept(pulse)));
    }

    private boolean isWatched(long nanos) {
        return !watchers.isEmpty() || (asked && nanos - askedAtNanos < WATCHED_AFTER_ASKING.toNanos());
    }

    /** Tells of every pulse from now on, until what is returned is run. The watcher must not wait. */
    public Runnable watch(Consumer<LiveFigures> watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    /** The last quarter of an hour of a source, oldest first; empty when there is no such source. */
    public List<LiveFigures> history(String source) {
        askedAtNanos = time.nanoTime();
        asked = true;
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
