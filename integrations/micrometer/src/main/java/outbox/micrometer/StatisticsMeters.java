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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.operations.StatisticsStore;

/**
 * Meters that the store itself provides: how many events are pending, since when, how many are dead, and how long the
 * latest deliveries took.
 *
 * <p>Reading a gauge never queries the database. It returns the last reading and, if that is older than the refresh
 * time, starts a thread that refreshes it. The first read therefore returns NaN, and so do reads while the database is
 * unreachable. Refreshes never overlap, and each reads a bounded number of rows, however large the table is.
 */
public final class StatisticsMeters implements MeterBinder {

    private static final Logger LOG = System.getLogger(StatisticsMeters.class.getName());

    /** Limits how many rows a reading may count. */
    static final int SAMPLE_MAX = 10_000;

    /** Limits for how many refresh times a reading is shown that could not be refreshed. */
    private static final int REFRESHES_MISSED_MAX = 3;

    private final StatisticsStore statistics;
    private final Tags source;
    private final Duration refresh;

    /**
     * Creates meters to be bound to a registry.
     *
     * @param source the name of the table among others of the same registry
     * @param refresh the shortest time between two queries
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

    /** Holds the last reading, and runs the next refresh. */
    private final class Readings {

        private final Clock clock;
        private final MultiGauge averages;
        private final MultiGauge maxima;
        private final AtomicBoolean refreshing = new AtomicBoolean();
        private volatile @Nullable Reading last; // written by the thread that refreshes
        private volatile Latencies lastLatencies = Latencies.of(List.of()); // written by the thread that refreshes

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
            if (!isDue() || !refreshing.compareAndSet(false, true)) {
                return;
            }
            if (isDue()) {
                Thread.ofVirtual().name("outbox-statistics").start(this::refresh);
            } else {
                refreshing.set(false); // Another refresh has ended since the age was checked.
            }
        }

        private boolean isDue() {
            Reading reading = last;
            return reading == null || age(reading) >= refresh.toNanos();
        }

        private void refresh() {
            long startedAt = clock.monotonicTime();
            try {
                OutboxStatistics now = statistics.statistics(SAMPLE_MAX);
                Latencies latencies = Latencies.of(now.settled().latencies());
                lastLatencies = latencies;
                last = new Reading(now, startedAt);
                averages.register(rows(latencies, Latencies.OfType::average));
                maxima.register(rows(latencies, Latencies.OfType::max));
            } catch (RuntimeException e) {
                LOG.log(Level.DEBUG, "the store could not be queried for statistics: " + ErrorText.of(e));
                last = new Reading(null, startedAt);
            } finally {
                refreshing.set(false);
            }
        }

        // Rows that stay are not replaced: a scrape at that moment could meet the same row twice, and would fail.
        private List<MultiGauge.Row<?>> rows(Latencies latencies, Function<Latencies.OfType, Duration> figure) {
            List<MultiGauge.Row<?>> rows = new ArrayList<>();
            for (String type : latencies.names()) {
                rows.add(MultiGauge.Row.of(
                        Tags.of("type", type), this, all -> all.figure(now -> all.latency(type, figure))));
            }
            return rows;
        }

        private double latency(String type, Function<Latencies.OfType, Duration> figure) {
            return lastLatencies.of(type).map(figure).map(Latencies::seconds).orElse(Double.NaN);
        }
    }
}
