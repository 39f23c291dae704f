package outbox.relay.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimitTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long START = Math.subtractExact(Long.MAX_VALUE, SECOND / 2);

    @Test
    void limitsNothingWhenItIsSwitchedOff() {
        RateLimit off = new RateLimit(0, START);

        assertThat(off.take(1_000_000, START)).isEqualTo(1_000_000);
        off.release(5);
        assertThat(off.nextInNanos()).isZero();
    }

    @Test
    void givesATenthOfASecondsWorthAtOnce() {
        RateLimit limit = new RateLimit(100, START);

        assertThat(limit.take(1_000, START)).isEqualTo(10);
        assertThat(limit.take(1_000, START)).isZero();
        assertThat(limit.nextInNanos()).isEqualTo(SECOND / 100);
    }

    @Test
    void givesOnTheAverageWhatItIsSetTo() {
        RateLimit limit = new RateLimit(250, START);
        int taken = 0;
        for (int step = 1; step <= 10_000; step++) {
            taken += limit.take(1_000, START + step * SECOND / 1_000);
        }

        assertThat(taken).isBetween(2_500, 2_525);
    }

    @Test
    void savesUpNoMoreThanABurst() {
        RateLimit limit = new RateLimit(100, START);

        assertThat(limit.take(1_000, START + 3_600 * SECOND)).isEqualTo(10);
    }

    @Test
    void givesAtLeastOneEventHoweverSlow() {
        RateLimit limit = new RateLimit(1, START);

        assertThat(limit.take(5, START)).isEqualTo(1);
        assertThat(limit.take(5, START + SECOND / 2)).isZero();
        assertThat(limit.nextInNanos()).isEqualTo(SECOND / 2);
        assertThat(limit.take(5, START + SECOND)).isEqualTo(1);
    }

    @Test
    void takesBackWhatWasNotUsed() {
        RateLimit limit = new RateLimit(100, START);
        limit.take(10, START);

        limit.release(7);

        assertThat(limit.nextInNanos()).isZero();
        assertThat(limit.take(100, START)).isEqualTo(7);
    }

    @Test
    void takesNoMoreThanIsWanted() {
        RateLimit limit = new RateLimit(100, START);

        assertThat(limit.take(3, START)).isEqualTo(3);
        assertThat(limit.take(100, START)).isEqualTo(7);
    }
}
