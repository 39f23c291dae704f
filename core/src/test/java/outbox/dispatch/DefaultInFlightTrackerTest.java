package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.util.SettableTime;

final class DefaultInFlightTrackerTest {

    private static final int ROUNDS = 20_000;

    private final SettableTime time = new SettableTime(Instant.parse("2026-03-01T12:00:00Z"));

    @Test
    void letsAnEventInOnce() {
        DefaultInFlightTracker tracker = new DefaultInFlightTracker();

        assertThat(tracker.tryAcquire("e-1")).isTrue();
        assertThat(tracker.tryAcquire("e-1")).isFalse();
        assertThat(tracker.tryAcquire("e-2")).isTrue();
    }

    @Test
    void letsAnEventInAgainAfterItsRelease() {
        DefaultInFlightTracker tracker = new DefaultInFlightTracker();
        assertThat(tracker.tryAcquire("e-1")).isTrue();
        tracker.release("e-1");

        assertThat(tracker.tryAcquire("e-1")).isTrue();
        assertThat(tracker.tryAcquire("e-1")).isFalse();
    }

    @Test
    void takesTheReleaseOfAnUnknownEventForNothing() {
        DefaultInFlightTracker tracker = new DefaultInFlightTracker();
        tracker.release("e-1");

        assertThat(tracker.tryAcquire("e-1")).isTrue();
    }

    @Test
    void holdsForEverWithoutATimeToLive() {
        DefaultInFlightTracker tracker = new DefaultInFlightTracker(0, time);
        assertThat(tracker.tryAcquire("e-1")).isTrue();
        time.pass(Duration.ofDays(36_500));

        assertThat(tracker.tryAcquire("e-1")).isFalse();
    }

    @Test
    void givesAStaleEventToOneOther() {
        DefaultInFlightTracker tracker = new DefaultInFlightTracker(1_000, time);
        assertThat(tracker.tryAcquire("e-1")).isTrue();

        time.pass(Duration.ofSeconds(1).minusNanos(1));
        assertThat(tracker.tryAcquire("e-1")).isFalse();
        time.pass(Duration.ofNanos(1));
        assertThat(tracker.tryAcquire("e-1")).isTrue();
        assertThat(tracker.tryAcquire("e-1")).isFalse();
    }

    @Test
    void startsTheTimeToLiveAnewWithEachTakeOver() {
        DefaultInFlightTracker tracker = new DefaultInFlightTracker(1_000, time);
        assertThat(tracker.tryAcquire("e-1")).isTrue();
        time.pass(Duration.ofMillis(1_500));
        assertThat(tracker.tryAcquire("e-1")).isTrue();

        time.pass(Duration.ofMillis(999));
        assertThat(tracker.tryAcquire("e-1")).isFalse();
        time.pass(Duration.ofMillis(1));
        assertThat(tracker.tryAcquire("e-1")).isTrue();
    }

    @Test
    void countsByTheMonotonicClock() {
        DefaultInFlightTracker tracker = new DefaultInFlightTracker(1_000, time);
        assertThat(tracker.tryAcquire("e-1")).isTrue();
        time.set(time.instant().plusSeconds(3_600));

        assertThat(tracker.tryAcquire("e-1")).isFalse();
    }

    @Test
    void holdsForALongTimeToLive() {
        DefaultInFlightTracker tracker = new DefaultInFlightTracker(Long.MAX_VALUE, time);
        assertThat(tracker.tryAcquire("e-1")).isTrue();
        time.pass(Duration.ofDays(365));

        assertThat(tracker.tryAcquire("e-1")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void refusesATimeToLiveThatIsNotPositive(long ttlMs) {
        assertThatThrownBy(() -> new DefaultInFlightTracker(ttlMs))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ttlMs must be at least 1, was " + ttlMs);
    }

    @Test
    void letsOneOfTwoThreadsHaveANewEvent() throws Exception {
        assertThat(winsOfTwoThreads(new DefaultInFlightTracker())).isEqualTo(ROUNDS);
    }

    @Test
    void letsOneOfTwoThreadsHaveAStaleEvent() throws Exception {
        DefaultInFlightTracker tracker = new DefaultInFlightTracker(1, time);
        for (int round = 0; round < ROUNDS; round++) {
            tracker.tryAcquire("e-" + round);
        }
        time.pass(Duration.ofMillis(1));

        assertThat(winsOfTwoThreads(tracker)).isEqualTo(ROUNDS);
    }

    /** Two threads meet before each event, spinning so that they leave at the same moment, and both try to have it. */
    private static int winsOfTwoThreads(DefaultInFlightTracker tracker) throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        Callable<Integer> racer = () -> {
            int wins = 0;
            for (int round = 0; round < ROUNDS; round++) {
                String eventId = "e-" + round;
                arrived.incrementAndGet();
                while (arrived.get() < 2 * (round + 1)) {
                    Thread.onSpinWait();
                }
                wins += tracker.tryAcquire(eventId) ? 1 : 0;
            }
            return wins;
        };
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Future<Integer> one = pool.submit(racer);
            Future<Integer> other = pool.submit(racer);
            return one.get() + other.get();
        }
    }
}
