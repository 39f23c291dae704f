package outbox.relay.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.relay.internal.model.Pacing;
import outbox.testkit.ManualTime;

class PacerTest {

    private static final Duration QUICK = Duration.ofNanos(200_000);

    private final ManualTime clock = new ManualTime();
    private final Pacer flow = new Pacer(clock, Pacing.MEASURED);

    @Test
    void waitsForWordAtFirst() {
        assertThat(flow.rest()).isZero();
    }

    @Test
    void flowsOnceAWindowHasBroughtEnough() {
        looks(30, 1);

        assertThat(flow.rest()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void doesNotFlowWhenMostLooksWouldFindNothing() {
        for (int event = 0; event < 50; event++) {
            looks(4, 0);
            looks(1, 1);
            assertThat(flow.rest()).isZero();
        }
    }

    @Test
    void ebbsWhenLooksFindNothingForAWindow() {
        looks(30, 1);
        looks(45, 0);

        assertThat(flow.rest()).isZero();
    }

    @Test
    void isOverAfterAWindowInWhichNobodyLooked() {
        looks(15, 1);
        clock.advance(Duration.ofMillis(30));
        looks(1, 1);

        assertThat(flow.rest()).isZero();
    }

    /** However slow the store is, looking takes a quarter of the time; but nobody waits for long. */
    @Test
    void restsByHowLongALookTakes() {
        looks(30, 1);
        takes(4, Duration.ofMillis(2));
        assertThat(flow.rest()).isEqualTo(Duration.ofMillis(6));

        takes(4, Duration.ofMillis(50));
        assertThat(flow.rest()).isEqualTo(Duration.ofMillis(10));

        takes(1, QUICK);
        assertThat(flow.rest()).isEqualTo(Duration.ofMillis(1));
    }

    /** Events would wait three times as long again for a look that had to wait itself. */
    @Test
    void doesNotRestForALookThatWasHeldUp() {
        looks(30, 1);
        takes(3, Duration.ofMillis(5));

        assertThat(flow.rest()).isEqualTo(Duration.ofMillis(1));
    }

    private void takes(int count, Duration each) {
        for (int look = 0; look < count; look++) {
            flow.found(1, each);
        }
    }

    private void looks(int count, int events) {
        for (int look = 0; look < count; look++) {
            clock.advance(Duration.ofMillis(1));
            flow.found(events, QUICK);
        }
    }
}
