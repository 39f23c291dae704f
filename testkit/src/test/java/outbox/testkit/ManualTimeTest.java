package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ManualTimeTest {

    private final ManualTime time = new ManualTime();

    @Test
    void standsStillUntilItIsMoved() {
        assertThat(time.instant()).isEqualTo(new ManualTime().instant());
        assertThat(time.nanoTime()).isEqualTo(time.nanoTime());
    }

    @Test
    void movesBothClocks() {
        Instant wall = time.instant();
        long nanos = time.nanoTime();
        time.advance(Duration.ofHours(2));

        assertThat(time.instant()).isEqualTo(wall.plus(Duration.ofHours(2)));
        // A difference, because the monotonic clock has overflowed on the way.
        assertThat(time.nanoTime() - nanos).isEqualTo(Duration.ofHours(2).toNanos());
        assertThat(time.nanoTime()).isNegative();
    }

    @Test
    void movesTheWallClockByItself() {
        long nanos = time.nanoTime();
        time.jumpWallClock(Duration.ofHours(-3));

        assertThat(time.instant()).isEqualTo(new ManualTime().instant().minus(Duration.ofHours(3)));
        assertThat(time.nanoTime()).isEqualTo(nanos);
    }

    @Test
    void doesNotRunBackwards() {
        assertThatThrownBy(() -> time.advance(Duration.ofNanos(-1))).hasMessageContaining("jumpWallClock");
    }

    @Test
    void startsAtTheGivenTime() {
        Instant start = Instant.parse("2001-02-03T04:05:06Z");

        assertThat(new ManualTime(start).instant()).isEqualTo(start);
    }
}
