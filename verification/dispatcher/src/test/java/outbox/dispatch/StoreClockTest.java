package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import outbox.OutboxException;
import outbox.testkit.ManualTime;

class StoreClockTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualTime store = new ManualTime();
    private final ManualTime machine = new ManualTime(Instant.EPOCH);
    private final AtomicInteger asked = new AtomicInteger();
    private final Instant begun = store.instant();
    private boolean away;
    private final StoreClock clock = new StoreClock(this::ask, machine);

    private Instant ask() {
        asked.incrementAndGet();
        if (away) {
            throw new OutboxException("the database is away");
        }
        return store.instant();
    }

    @Test
    void asksOnceAMinuteAndCountsOnByTheMonotonicClock() {
        assertThat(clock.since(begun)).isZero();
        machine.advance(MINUTE.minusMillis(1));
        assertThat(clock.since(begun)).isEqualTo(MINUTE.minusMillis(1));
        assertThat(asked).hasValue(1);

        machine.advance(Duration.ofMillis(1));
        store.advance(Duration.ofHours(1)); // It was set forward.

        assertThat(clock.since(begun)).isEqualTo(Duration.ofHours(1));
        assertThat(asked).hasValue(2);
    }

    @Test
    void countsOnWhileTheStoreIsAway() {
        clock.since(begun);
        away = true;
        machine.advance(Duration.ofMinutes(10));
        assertThat(clock.since(begun)).isEqualTo(Duration.ofMinutes(10));
        assertThat(clock.since(begun)).isEqualTo(Duration.ofMinutes(10));
        assertThat(asked).as("a store that is away is not asked each time").hasValue(2);
    }

    @Test
    void keepsNoCallerWaitingWhileItAsks() {
        List<Duration> meanwhile = new ArrayList<>();
        AtomicReference<StoreClock> asking = new AtomicReference<>();
        StoreClock slow = new StoreClock(
                () -> {
                    meanwhile.add(asking.get().since(begun));
                    return ask();
                },
                machine);
        asking.set(slow);

        slow.since(begun);
        machine.advance(MINUTE);
        slow.since(begun);

        assertThat(meanwhile).containsExactly(Duration.ZERO, MINUTE);
    }

    @Test
    void takesNothingForOldBeforeTheStoreHasAnswered() {
        away = true;
        assertThat(clock.since(begun.minus(Duration.ofDays(1)))).isZero();
        away = false;
        assertThat(clock.since(begun.minus(Duration.ofDays(1)))).isZero();
        machine.advance(Duration.ofSeconds(1));

        assertThat(clock.since(begun.minus(Duration.ofDays(1)))).isEqualTo(Duration.ofDays(1));
    }
}
