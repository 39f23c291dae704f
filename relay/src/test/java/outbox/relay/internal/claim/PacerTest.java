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
        fetches(30, 1);

        assertThat(flow.rest()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void doesNotFlowWhenMostLooksWouldFindNothing() {
        for (int event = 0; event < 50; event++) {
            fetches(4, 0);
            fetches(1, 1);
            assertThat(flow.rest()).isZero();
        }
    }

    @Test
    void ebbsWhenLooksFindNothingForAWindow() {
        fetches(30, 1);
        fetches(45, 0);

        assertThat(flow.rest()).isZero();
    }

    @Test
    void isOverAfterAWindowInWhichNobodyLooked() {
        fetches(15, 1);
        clock.advance(Duration.ofMillis(30));
        fetches(1, 1);

        assertThat(flow.rest()).isZero();
    }

    /** However slow the store is, fetching takes a quarter of the time, and no event waits for long. */
    @Test
    void restsByHowLongALookTakes() {
        fetches(30, 1);
        takes(4, Duration.ofMillis(2));
        assertThat(flow.rest()).isEqualTo(Duration.ofMillis(6));

        takes(4, Duration.ofMillis(50));
        assertThat(flow.rest()).isEqualTo(Duration.ofMillis(10));

        takes(1, QUICK);
        assertThat(flow.rest()).isEqualTo(Duration.ofMillis(1));
    }

    /** Events would wait three times as long again for a fetch that had to wait itself. */
    @Test
    void doesNotRestForALookThatWasHeldUp() {
        fetches(30, 1);
        takes(3, Duration.ofMillis(5));

        assertThat(flow.rest()).isEqualTo(Duration.ofMillis(1));
    }

    private void takes(int count, Duration each) {
        for (int fetch = 0; fetch < count; fetch++) {
            flow.found(1, each);
        }
    }

    private void fetches(int count, int events) {
        for (int fetch = 0; fetch < count; fetch++) {
            clock.advance(Duration.ofMillis(1));
            flow.found(events, QUICK);
        }
    }
}
