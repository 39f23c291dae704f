package catbox.server.pulse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.relay.observe.RelayEvent;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.OutboxStatistics;
import outbox.testkit.ManualTime;

class PulsesTest {

    private final ManualTime time = new ManualTime();
    private final PulseCounter counter = new PulseCounter();
    private final AtomicInteger queries = new AtomicInteger();
    private final Pulses pulses = new Pulses(time, Runnable::run);

    @BeforeEach
    void add() {
        pulses.add(
                "orders",
                counter,
                () -> Optional.of(sampleMax -> {
                    queries.incrementAndGet();
                    return new OutboxStatistics(
                            new BoundedCount(7, false),
                            Duration.ofMillis(1_500),
                            new BoundedCount(2, false),
                            new OutboxStatistics.Settled(0, 0, 0, List.of()));
                }));
    }

    @Test
    void countsWhatHappenedInEachSecond() {
        List<LiveFigures> received = new ArrayList<>();
        pulses.watch(received::add);
        for (int n = 1; n <= 100; n++) {
            counter.on(new RelayEvent.Delivered(0, "kafka", Duration.ofMillis(n)));
        }
        counter.on(new RelayEvent.AttemptFailed("e", "kafka", 1, "down", Duration.ofSeconds(1)));
        sample();

        LiveFigures pulse = received.getFirst();
        assertThat(pulse.source()).isEqualTo("orders");
        assertThat(pulse.deliveredPerSecond()).isEqualTo(100);
        assertThat(pulse.failedPerSecond()).isEqualTo(1);
        assertThat(pulse.latencyP50Millis()).isCloseTo(50, within(7.0));
        assertThat(pulse.latencyP99Millis()).isCloseTo(99, within(13.0));
        assertThat(pulse.pending()).isEqualTo(new BoundedCount(7, false));
        assertThat(pulse.oldestPendingSeconds()).isEqualTo(1.5);
        assertThat(pulse.dead()).isEqualTo(new BoundedCount(2, false));

        sample();
        assertThat(received.get(1).deliveredPerSecond()).isZero();
        assertThat(received.get(1).latencyP50Millis()).isNull();
    }

    @Test
    void remembersAQuarterOfAnHour() {
        for (int n = 0; n < 1_000; n++) {
            sample();
        }

        assertThat(pulses.history("orders")).hasSizeBetween(900, 901);
        assertThat(pulses.history("no such source")).isEmpty();
    }

    @Test
    void queriesTheStoreRarelyWithoutWatchersAndNeverOncePerWatcher() {
        for (int n = 0; n < 60; n++) {
            sample();
        }
        assertThat(queries).hasValue(4);

        for (int watcher = 0; watcher < 50; watcher++) {
            pulses.watch(pulse -> {});
        }
        for (int n = 0; n < 60; n++) {
            sample();
        }
        assertThat(queries).hasValue(4 + 30);
    }

    @Test
    void hasNoFiguresOfAStoreThatCannotBeQueried() {
        Pulses broken = new Pulses(time, Runnable::run);
        broken.add("orders", counter, () -> {
            throw new IllegalStateException("the database is down");
        });
        broken.sampleOnce();

        assertThat(broken.history("orders").getFirst().pending()).isNull();
    }

    private void sample() {
        time.advance(Duration.ofSeconds(1));
        pulses.sampleOnce();
    }
}
