package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.Outcome;
import outbox.model.Settlement;
import outbox.testkit.World;

class SettleRuleTest {

    private static final Claim CLAIM = new Claim("event", "token");

    private final SettleRule rule = new SettleRule(attempts -> 100L * attempts, 3);

    @Test
    void whatIsDeliveredIsDone() {
        assertThat(rule.decide(CLAIM, new Outcome.Delivered(), failedBefore(2))).isEqualTo(new Settlement.Done(CLAIM));
    }

    @Test
    void whatIsRejectedIsDeadAtTheFirstAttempt() {
        assertThat(rule.decide(CLAIM, new Outcome.Rejected("never"), failedBefore(0)))
                .isEqualTo(new Settlement.Dead(CLAIM, "never"));
    }

    @Test
    void whatFailsIsTriedAgainAfterTheDelayForItsFailures() {
        assertThat(rule.decide(CLAIM, failure(), failedBefore(0)))
                .isEqualTo(new Settlement.Retry(CLAIM, Duration.ofMillis(100), "down"));
        assertThat(rule.decide(CLAIM, failure(), failedBefore(1)))
                .isEqualTo(new Settlement.Retry(CLAIM, Duration.ofMillis(200), "down"));
    }

    @Test
    void whatFailsForTheLastTimeIsDead() {
        assertThat(rule.decide(CLAIM, failure(), failedBefore(2))).isEqualTo(new Settlement.Dead(CLAIM, "down"));
        assertThat(rule.decide(CLAIM, failure(), failedBefore(7))).isEqualTo(new Settlement.Dead(CLAIM, "down"));
    }

    @Test
    void aDelayThatWasAskedForIsObeyed() {
        Outcome outcome = new Outcome.Retryable("busy", Duration.ofHours(2));

        assertThat(rule.decide(CLAIM, outcome, failedBefore(0)))
                .isEqualTo(new Settlement.Retry(CLAIM, Duration.ofHours(2), "busy"));
    }

    @Test
    void aDelayOfZeroIsADelayThatWasAskedFor() {
        Outcome outcome = new Outcome.Retryable("again", Duration.ZERO);

        assertThat(rule.decide(CLAIM, outcome, failedBefore(0)))
                .isEqualTo(new Settlement.Retry(CLAIM, Duration.ZERO, "again"));
    }

    @Test
    void noDelayIsNegativeOrBeyondAllTime() {
        Outcome endless = new Outcome.Retryable("busy", Duration.ofSeconds(Long.MAX_VALUE));
        SettleRule backwards = new SettleRule(attempts -> -5, 3);

        assertThat(delayOf(backwards.decide(CLAIM, failure(), failedBefore(0)))).isZero();
        assertThat(delayOf(rule.decide(CLAIM, endless, failedBefore(0)))).isLessThan(Duration.ofDays(1_000));
    }

    @Test
    void aPolicyThatFailsDoesNotHideTheFailure() {
        SettleRule broken = new SettleRule(
                attempts -> {
                    throw new ArithmeticException("a fault of its own");
                },
                3);

        assertThat(broken.decide(CLAIM, failure(), failedBefore(0)))
                .isInstanceOfSatisfying(Settlement.Retry.class, retry -> {
                    assertThat(retry.delay()).isPositive();
                    assertThat(retry.error()).contains("down").contains("a fault of its own");
                });
    }

    private static Duration delayOf(Settlement settlement) {
        return ((Settlement.Retry) settlement).delay();
    }

    @Test
    void anAskedDelayDoesNotSaveAnEventFromItsLastAttempt() {
        Outcome outcome = new Outcome.Retryable("busy", Duration.ofHours(2));

        assertThat(rule.decide(CLAIM, outcome, failedBefore(2))).isEqualTo(new Settlement.Dead(CLAIM, "busy"));
    }

    @Test
    void theEventsOwnLimitGoesBeforeTheRules() {
        EventEnvelope few = World.sample().maxAttempts(1).build();
        EventEnvelope many = World.sample().maxAttempts(5).build();

        assertThat(rule.decide(CLAIM, failure(), cold(few, 0))).isInstanceOf(Settlement.Dead.class);
        assertThat(rule.decide(CLAIM, failure(), cold(many, 3))).isInstanceOf(Settlement.Retry.class);
        assertThat(rule.decide(CLAIM, failure(), cold(many, 4))).isInstanceOf(Settlement.Dead.class);
    }

    private static Outcome failure() {
        return new Outcome.Retryable("down", null);
    }

    private static QueuedEvent failedBefore(int attempts) {
        return cold(World.event(), attempts);
    }

    private static QueuedEvent cold(EventEnvelope event, int attempts) {
        return new QueuedEvent(event, QueuedEvent.Source.COLD, attempts);
    }
}
