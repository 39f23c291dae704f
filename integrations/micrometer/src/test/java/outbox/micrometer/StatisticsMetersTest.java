package outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.OutboxException;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.operations.OutboxStatistics.TypeLatency;
import outbox.spi.operations.StatisticsStore;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StatisticsMetersTest {

    private static final Duration REFRESH = Duration.ofSeconds(15);

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final AtomicInteger refreshes = new AtomicInteger();
    private final Set<Thread> refreshThreads = ConcurrentHashMap.newKeySet();

    @Test
    void showsTheStoresFigures() {
        bind(sampleMax -> figures(new TypeLatency("OrderPlaced", 10, Duration.ofMillis(20), Duration.ofSeconds(2))));
        awaitFigures();

        assertThat(gauge("outbox.store.pending")).isEqualTo(7);
        assertThat(gauge("outbox.store.pending.age")).isEqualTo(1.5);
        assertThat(gauge("outbox.store.dead")).isEqualTo(2);
        assertThat(gauge("outbox.store.retries.average")).isEqualTo(0.25);
        assertThat(gauge("outbox.store.retries.max")).isEqualTo(4);
        assertThat(gauge("outbox.store.latency.average")).isEqualTo(0.02);
        assertThat(gauge("outbox.store.latency.max")).isEqualTo(2);
    }

    @Test
    void queriesTheStoreAtMostOncePerRefreshTimeAndNeverOnTheReadersThread() {
        bind(sampleMax -> figures());
        awaitFigures();
        for (int i = 0; i < 100; i++) {
            gauge("outbox.store.pending");
        }
        assertThat(refreshes).hasValue(1);

        clock.add(REFRESH);
        gauge("outbox.store.pending");
        Eventually.until("it has refreshed again", () -> refreshes.get() == 2);
        assertThat(refreshThreads).doesNotContain(Thread.currentThread());
    }

    @Test
    void returnsNaNWithoutAnExceptionWhileTheDatabaseIsDown() {
        AtomicInteger down = new AtomicInteger(1);
        bind(sampleMax -> {
            if (down.get() == 1) {
                throw new OutboxException("the database is down", new IllegalStateException());
            }
            return figures(new TypeLatency("OrderPlaced", 10, Duration.ofMillis(20), Duration.ofSeconds(2)));
        });
        Eventually.until("it has refreshed", () -> refreshes.get() == 1);
        assertThat(gauge("outbox.store.pending")).isNaN();

        down.set(0);
        clock.add(REFRESH);
        awaitFigures();
        assertThat(gauge("outbox.store.latency.max")).isEqualTo(2);

        down.set(1);
        clock.add(REFRESH);
        Eventually.until("there is no figure", () -> Double.isNaN(gauge("outbox.store.pending")));
        assertThat(gauge("outbox.store.latency.max")).isNaN();
    }

    @Test
    void returnsNaNWhileARefreshHangsAndDoesNotHangItself() {
        CountDownLatch never = new CountDownLatch(1);
        bind(sampleMax -> {
            if (refreshes.get() > 1) {
                await(never);
            }
            return figures();
        });
        awaitFigures();

        clock.add(REFRESH);
        assertThat(gauge("outbox.store.pending")).isEqualTo(7);
        clock.add(REFRESH.multipliedBy(3));
        assertThat(gauge("outbox.store.pending")).isNaN();
        Eventually.until("it has refreshed once more", () -> refreshes.get() == 2);
        never.countDown();
    }

    @Test
    void boundsTheCostOfARefresh() {
        AtomicInteger asked = new AtomicInteger();
        bind(sampleMax -> {
            asked.set(sampleMax);
            return figures();
        });
        awaitFigures();
        assertThat(asked.get()).isBetween(1, 10_000);
    }

    @Test
    void namesTheHundredMostFrequentTypesAndGroupsTheOthers() {
        TypeLatency[] types = IntStream.rangeClosed(1, 105)
                .mapToObj(n -> new TypeLatency("Type" + n, n, Duration.ofSeconds(n), Duration.ofSeconds(2L * n)))
                .toArray(TypeLatency[]::new);
        bind(sampleMax -> figures(types));
        awaitFigures();

        assertThat(registry.find("outbox.store.latency.max").gauges()).hasSize(101);
        assertThat(latency("outbox.store.latency.max", "Type105")).isEqualTo(210);
        assertThat(latency("outbox.store.latency.max", "other")).isEqualTo(10);
        // Five types with 1 to 5 samples of 1 to 5 seconds each: 55 seconds in 15 samples.
        assertThat(latency("outbox.store.latency.average", "other")).isBetween(3.66, 3.67);
    }

    @Test
    void refusesARefreshTimeOfZero() {
        assertThatThrownBy(() -> new StatisticsMeters(sampleMax -> figures(), "orders", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("refresh must be positive, was PT0S");
    }

    private void bind(StatisticsStore store) {
        StatisticsStore counted = sampleMax -> {
            refreshes.incrementAndGet();
            refreshThreads.add(Thread.currentThread());
            return store.statistics(sampleMax);
        };
        new StatisticsMeters(counted, "orders", REFRESH).bindTo(registry);
    }

    private void awaitFigures() {
        Eventually.until("there are figures", () -> !Double.isNaN(gauge("outbox.store.pending")));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private double gauge(String name) {
        return registry.get(name).tags("source", "orders").gauge().value();
    }

    private double latency(String name, String type) {
        return registry.get(name).tags("type", type).gauge().value();
    }

    private static OutboxStatistics figures(TypeLatency... latencies) {
        return new OutboxStatistics(
                new BoundedCount(7, false),
                Duration.ofMillis(1_500),
                new BoundedCount(2, false),
                new OutboxStatistics.Settled(10, 0.25, 4, List.of(latencies)));
    }
}
