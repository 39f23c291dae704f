package outbox.relay.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.relay.DestinationConfig;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;

class CircuitBreakerTest {

    private static final long SECOND = 1_000_000_000L;
    // Close to the overflow of the monotonic clock, which must not matter.
    private static final long NOW = Math.subtractExact(Long.MAX_VALUE, SECOND / 2);

    private final CircuitBreaker breaker = breaker(3);

    @Test
    void opensAfterSoManyCallsInARowWithoutAnAnswer() {
        silence(2);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.allows(NOW)).isTrue();

        silence(1);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.allows(NOW)).isFalse();
        assertThat(breaker.untilProbeNanos(NOW)).isEqualTo(SECOND);
    }

    @Test
    void countsAnewAfterASuccess() {
        silence(2);
        breaker.succeeded();
        silence(2);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void neverOpensWhenItIsSwitchedOff() {
        CircuitBreaker off = breaker(0);
        for (int n = 0; n < 100; n++) {
            off.unanswered(NOW, true);
        }

        assertThat(off.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void letsOneEventThroughWhenItsRestIsOver() {
        silence(3);
        assertThat(breaker.allows(NOW + SECOND - 1)).isFalse();
        assertThat(breaker.state()).isEqualTo(State.OPEN);

        assertThat(breaker.allows(NOW + SECOND)).isTrue();
        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        breaker.probeStarted(NOW + SECOND);
        assertThat(breaker.allows(NOW + SECOND)).isFalse();
    }

    @Test
    void letsAnotherThroughWhenTheOneDidNotGo() {
        halfOpen(NOW + SECOND);
        breaker.probeStarted(NOW + SECOND);
        breaker.probeAbandoned();

        assertThat(breaker.allows(NOW + SECOND)).isTrue();
    }

    @Test
    void closesWhenTheTrialSucceeds() {
        halfOpen(NOW + SECOND);
        breaker.probeStarted(NOW + SECOND);
        breaker.succeeded();

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.allows(NOW)).isTrue();
        silence(2);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void restsLongerWithEachTrialThatFailsUpToALimit() {
        halfOpen(NOW + SECOND);
        long now = NOW + SECOND;
        for (long rest : new long[] {2, 4, 5, 5}) {
            assertThat(breaker.allows(now)).isTrue();
            breaker.probeStarted(now);
            breaker.unanswered(now, true);
            assertThat(breaker.state()).isEqualTo(State.OPEN);
            assertThat(breaker.untilProbeNanos(now)).isEqualTo(rest * SECOND);
            now += rest * SECOND;
        }
    }

    @Test
    void restsAsAtFirstAfterASuccess() {
        halfOpen(NOW + SECOND);
        breaker.probeStarted(NOW + SECOND);
        breaker.unanswered(NOW + SECOND, true);
        breaker.succeeded(); // A late answer to a call that began before.
        silence(3);

        assertThat(breaker.untilProbeNanos(NOW)).isEqualTo(SECOND);
    }

    @Test
    void doesNotRestLongerForAnswersThatCameLate() {
        silence(3);
        breaker.unanswered(NOW + SECOND / 2, true);

        assertThat(breaker.untilProbeNanos(NOW)).isEqualTo(SECOND);
    }

    private void halfOpen(long now) {
        silence(3);
        assertThat(breaker.allows(now)).isTrue();
    }

    @Test
    void opensAtOnceWhenTheDestinationIsUnavailable() {
        breaker.unavailable(NOW, null, true);

        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(breaker.untilProbeNanos(NOW)).isEqualTo(SECOND);
    }

    @Test
    void opensAtOnceEvenWhenCountingFailuresIsSwitchedOff() {
        CircuitBreaker off = breaker(0);
        off.unavailable(NOW, null, true);

        assertThat(off.state()).isEqualTo(State.OPEN);
    }

    @Test
    void restsAsLongAsTheDestinationAskedAtLeast() {
        breaker.unavailable(NOW, Duration.ofSeconds(3), true);

        assertThat(breaker.untilProbeNanos(NOW)).isEqualTo(3 * SECOND);
    }

    @Test
    void isNotPutOffForLongerThanItsLongestRest() {
        breaker.unavailable(NOW, Duration.ofDays(30), true);

        assertThat(breaker.untilProbeNanos(NOW)).isEqualTo(5 * SECOND);
    }

    @Test
    void letsAnotherTryWhenTheFirstIsNotAnswered() {
        breaker.unavailable(NOW, null, true);
        assertThat(breaker.allows(NOW + SECOND)).isTrue();
        breaker.probeStarted(NOW + SECOND);
        assertThat(breaker.allows(NOW + 2 * SECOND - 1)).isFalse();

        assertThat(breaker.allows(NOW + 2 * SECOND)).isTrue();
    }

    @Test
    void hearsOnlyItsProbeWhileItIsHalfOpen() {
        breaker.unavailable(NOW, null, true);
        breaker.retryNow();

        breaker.unavailable(NOW, null, false);
        breaker.unanswered(NOW, false);
        assertThat(breaker.state()).as("calls from before the outage").isEqualTo(State.HALF_OPEN);

        breaker.unavailable(NOW, null, true);
        assertThat(breaker.untilProbeNanos(NOW)).isEqualTo(2 * SECOND);
    }

    @Test
    void letsOneTryAtOnceWhenTheConnectionIsBack() {
        breaker.unavailable(NOW, null, true);

        breaker.retryNow();

        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        assertThat(breaker.allows(NOW)).isTrue();
    }

    private void silence(int calls) {
        for (int n = 0; n < calls; n++) {
            breaker.unanswered(NOW, true);
        }
    }

    private static CircuitBreaker breaker(int failures) {
        return new CircuitBreaker(
                DestinationConfig.defaults().withBreaker(failures, Duration.ofSeconds(1), Duration.ofSeconds(5)));
    }
}
