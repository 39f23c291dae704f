package outbox.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.operations.StatisticsStore;

/**
 * What the store itself knows: how much waits, since when, how much is dead, how long the latest events took.
 *
 * <p>A read never asks the database. It gives what the last look showed and, if that is older than the refresh time,
 * has a thread look anew; so the first read, and those while the database cannot be asked, give no figure (NaN). Looks
 * never overlap and cost a bounded number of rows, whatever the table holds.
 */
public final class StatisticsMeters implements MeterBinder {

    private static final Logger LOG = System.getLogger(StatisticsMeters.class.getName());

    /** How many rows a figure may cost; counts stop here. */
    static final int SAMPLE_MAX = 10_000;

    /** A figure that could not be renewed for so many refresh times is none any more. */
    private static final int REFRESHES_MISSED_MAX = 3;

    private final StatisticsStore statistics;
    private final Tags source;
    private final Duration refresh;

    /**
     * Meters to be bound to a registry.
     *
     * @param source what the table is called, among others of the same registry
     * @param refresh at most so often the store is asked
     */
    public StatisticsMeters(StatisticsStore statistics, String source, Duration refresh) {
        if (refresh.isNegative() || refresh.isZero()) {
            throw new IllegalArgumentException("refresh must be positive, was " + refresh);
        }
        this.statistics = statistics;
        this.source = Tags.of("source", source);
        this.refresh = refresh;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Readings readings = new Readings(registry);
        gauge(registry, "outbox.store.pending", readings, now -> now.pending().counted());
        gauge(registry, "outbox.store.dead", readings, now -> now.dead().counted());
        gauge(
                registry,
                "outbox.store.retries.average",
                readings,
                now -> now.settled().retriesAverage());
        gauge(
                registry,
                "outbox.store.retries.max",
                readings,
                now -> now.settled().retriesMax());
        Gauge.builder("outbox.store.pending.age", readings, all -> all.figure(StatisticsMeters::ageSeconds))
                .tags(source)
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
        readings.refreshIfDue();
    }

    private void gauge(
            MeterRegistry registry, String name, Readings readings, ToDoubleFunction<OutboxStatistics> figure) {
        Gauge.builder(name, readings, all -> all.figure(figure))
                .tags(source)
                .strongReference(true)
                .register(registry);
    }

    private static double ageSeconds(OutboxStatistics now) {
        Duration age = now.oldestPendingAge();
        return age == null ? 0 : Latencies.seconds(age);
    }

    /** The last look at the store, and who looks next. */
    private final class Readings {

        private final Clock clock;
        private final MultiGauge averages;
        private final MultiGauge maxima;
        private final AtomicBoolean looking = new AtomicBoolean();
        private volatile @Nullable Reading last; // written by whoever looks

        private record Reading(@Nullable OutboxStatistics statistics, long atNanos) {}

        private Readings(MeterRegistry registry) {
            this.clock = registry.config().clock();
            this.averages = latencies(registry, "outbox.store.latency.average");
            this.maxima = latencies(registry, "outbox.store.latency.max");
        }

        private MultiGauge latencies(MeterRegistry registry, String name) {
            return MultiGauge.builder(name).tags(source).baseUnit("seconds").register(registry);
        }

        private double figure(ToDoubleFunction<OutboxStatistics> figure) {
            refreshIfDue();
            Reading reading = last;
            return reading == null
                            || reading.statistics() == null
                            || age(reading) > refresh.toNanos() * REFRESHES_MISSED_MAX
                    ? Double.NaN
                    : figure.applyAsDouble(reading.statistics());
        }

        private long age(Reading reading) {
            return clock.monotonicTime() - reading.atNanos();
        }

        private void refreshIfDue() {
            if (!isDue() || !looking.compareAndSet(false, true)) {
                return;
            }
            if (isDue()) {
                Thread.ofVirtual().name("outbox-statistics").start(this::look);
            } else {
                looking.set(false); // A look that ran when we asked has ended since.
            }
        }

        private boolean isDue() {
            Reading reading = last;
            return reading == null || age(reading) >= refresh.toNanos();
        }

        private void look() {
            long begun = clock.monotonicTime();
            try {
                OutboxStatistics now = statistics.statistics(SAMPLE_MAX);
                Latencies latencies = Latencies.of(now.settled().latencies());
                averages.register(latencies.rows(latency -> this.figure(latency, true)), true);
                maxima.register(latencies.rows(latency -> this.figure(latency, false)), true);
                last = new Reading(now, begun);
            } catch (RuntimeException e) {
                LOG.log(Level.DEBUG, "the store could not be asked for figures: " + ErrorText.of(e));
                last = new Reading(null, begun);
            } finally {
                looking.set(false);
            }
        }

        // A row lives as long as the look that made it is the last one that worked.
        private double figure(Latencies.OfType latency, boolean average) {
            return figure(now -> Latencies.seconds(average ? latency.average() : latency.max()));
        }
    }
}
