package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.dispatch.QueuedEvent;
import outbox.model.Claim;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.model.Settlement;
import outbox.testkit.World;

class SettleRuleTest {

    private static final Claim CLAIM = new Claim("event", "token");

    private final SettleRule rule = new SettleRule(attempts -> 100L * attempts, 3);

    @Test
    void whatIsDeliveredIsDone() {
        assertThat(decide(rule, new Outcome.Delivered(), failedBefore(2))).isEqualTo(new Settlement.Done(CLAIM));
    }

    @Test
    void whatIsRejectedIsDeadAtTheFirstAttempt() {
        assertThat(decide(rule, new Outcome.Rejected("never"), failedBefore(0)))
                .isEqualTo(new Settlement.Dead(CLAIM, "never"));
    }

    @Test
    void whatFailsIsTriedAgainAfterTheDelayForItsFailures() {
        assertThat(decide(rule, failure(), failedBefore(0)))
                .isEqualTo(new Settlement.Retry(CLAIM, Duration.ofMillis(100), "down"));
        assertThat(decide(rule, failure(), failedBefore(1)))
                .isEqualTo(new Settlement.Retry(CLAIM, Duration.ofMillis(200), "down"));
    }

    @Test
    void whatFailsForTheLastTimeIsDead() {
        assertThat(decide(rule, failure(), failedBefore(2))).isEqualTo(new Settlement.Dead(CLAIM, "down"));
        assertThat(decide(rule, failure(), failedBefore(7))).isEqualTo(new Settlement.Dead(CLAIM, "down"));
    }

    @Test
    void aDelayThatWasAskedForIsObeyed() {
        Outcome outcome = new Outcome.Retryable("busy", Duration.ofHours(2));

        assertThat(decide(rule, outcome, failedBefore(0)))
                .isEqualTo(new Settlement.Retry(CLAIM, Duration.ofHours(2), "busy"));
    }

    @Test
    void aDelayOfZeroIsADelayThatWasAskedFor() {
        Outcome outcome = new Outcome.Retryable("again", Duration.ZERO);

        assertThat(decide(rule, outcome, failedBefore(0)))
                .isEqualTo(new Settlement.Retry(CLAIM, Duration.ZERO, "again"));
    }

    @Test
    void noDelayIsNegativeOrBeyondAllTime() {
        Outcome endless = new Outcome.Retryable("busy", Duration.ofSeconds(Long.MAX_VALUE));
        SettleRule backwards = new SettleRule(attempts -> -5, 3);

        assertThat(delayOf(decide(backwards, failure(), failedBefore(0)))).isZero();
        assertThat(delayOf(decide(rule, endless, failedBefore(0)))).isLessThan(Duration.ofDays(1_000));
    }

    @Test
    void aPolicyThatFailsDoesNotHideTheFailure() {
        SettleRule broken = new SettleRule(
                attempts -> {
                    throw new ArithmeticException("a fault of its own");
                },
                3);

        assertThat(decide(broken, failure(), failedBefore(0))).isInstanceOfSatisfying(Settlement.Retry.class, retry -> {
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

        assertThat(decide(rule, outcome, failedBefore(2))).isEqualTo(new Settlement.Dead(CLAIM, "busy"));
    }

    @Test
    void theEventsOwnLimitGoesBeforeTheRules() {
        EventEnvelope few = World.sample().maxAttempts(1).build();
        EventEnvelope many = World.sample().maxAttempts(5).build();

        assertThat(decide(rule, failure(), cold(few, 0))).isInstanceOf(Settlement.Dead.class);
        assertThat(decide(rule, failure(), cold(many, 3))).isInstanceOf(Settlement.Retry.class);
        assertThat(decide(rule, failure(), cold(many, 4))).isInstanceOf(Settlement.Dead.class);
    }

    private static Outcome failure() {
        return new Outcome.Retryable("down", null);
    }

    // ---- a destination that is unavailable ------------------------------------------------------------------------

    @Test
    void whatItsDestinationIsToBlameForIsPostponedHoweverOftenItHappens() {
        for (int before : new int[] {0, 2, 3, 1_000}) {
            assertThat(decide(rule, unavailable(Duration.ofSeconds(3)), failedBefore(before)))
                    .isEqualTo(new Settlement.Postponed(CLAIM, Duration.ofSeconds(3), "refused"));
        }
    }

    @Test
    void whatIsPostponedIsTriedAgainSoonWhenTheDestinationDoesNotSayWhen() {
        assertThat(decide(rule, unavailable(null), failedBefore(0)))
                .isInstanceOfSatisfying(
                        Settlement.Postponed.class,
                        postponed ->
                                assertThat(postponed.delay()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(4)));
    }

    @Test
    void whatWasNotSentBecauseOfOthersIsTriedAgainAtOnce() {
        Outcome outcome = new Outcome.Unavailable("given up with others", Scope.CALL);

        assertThat(decide(rule, outcome, failedBefore(0)))
                .isEqualTo(new Settlement.Postponed(CLAIM, Duration.ZERO, "given up with others"));
    }

    // ---- give up after --------------------------------------------------------------------------------------------

    @Test
    void anEventThatIsTooOldIsDeadAtItsNextFailure() {
        assertThat(decideAt(Duration.ofHours(1), failure())).isInstanceOfSatisfying(Settlement.Dead.class, dead -> {
            assertThat(dead.counts()).isTrue();
            assertThat(dead.error()).contains("give-up-after PT1H").contains("down");
        });
        assertThat(decideAt(Duration.ofMinutes(59), failure())).isInstanceOf(Settlement.Retry.class);
    }

    @Test
    void anEventThatIsTooOldIsDeadInAnOutageWithoutAnAttempt() {
        assertThat(decideAt(Duration.ofHours(1), unavailable(null)))
                .isInstanceOfSatisfying(Settlement.Dead.class, dead -> {
                    assertThat(dead.counts()).isFalse();
                    assertThat(dead.error()).contains("give-up-after PT1H").contains("refused");
                });
        assertThat(decideAt(Duration.ofMinutes(59), unavailable(null))).isInstanceOf(Settlement.Postponed.class);
    }

    @Test
    void anEventThatIsTooOldIsDoneWhenItIsDelivered() {
        assertThat(decideAt(Duration.ofDays(9), new Outcome.Delivered())).isInstanceOf(Settlement.Done.class);
        assertThat(decideAt(Duration.ofDays(9), new Outcome.Unavailable("not sent", Scope.CALL)))
                .isInstanceOf(Settlement.Postponed.class);
    }

    @Test
    void rejectsAnEventThatTooManyHaveDiedWith() {
        SettleRule strict = new SettleRule(attempts -> 100, 3, null, 3);

        assertThat(rule.afterDeaths(4)).isEmpty();
        assertThat(rule.afterDeaths(5)).containsInstanceOf(Outcome.Rejected.class);
        assertThat(strict.afterDeaths(2)).isEmpty();
        assertThat(strict.afterDeaths(3))
                .contains(new Outcome.Rejected(
                        "the process ended 3 times in a row while it was delivering this event;" + " deaths-max is 3"));
        assertThatThrownBy(() -> new SettleRule(attempts -> 1, 3, null, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("deathsMax must be at least 3, was 2");
    }

    @Test
    void anAgeToGiveUpAtIsPositive() {
        assertThatThrownBy(() -> new SettleRule(attempts -> 1, 3, Duration.ZERO))
                .hasMessageContainingAll("giveUpAfter", "PT0S");
    }

    @Test
    void aTimeThousandsOfYearsAheadIsNoWaitThatCannotBeCounted() {
        SettleRule givesUp = new SettleRule(attempts -> 100, 3, Duration.ofHours(1));

        assertThat(givesUp.untilTooOld(Duration.ofDays(-3_000_000))).hasValue(Duration.ofDays(365));
        assertThat(givesUp.untilTooOld(Duration.ofHours(2))).hasValue(Duration.ZERO);
    }

    private static Settlement decideAt(Duration age, Outcome outcome) {
        SettleRule givesUp = new SettleRule(attempts -> 100, 3, Duration.ofHours(1));
        return givesUp.decide(CLAIM, outcome, 0, OptionalInt.empty(), age);
    }

    private static Outcome unavailable(@Nullable Duration after) {
        return new Outcome.Unavailable("refused", Scope.DESTINATION, after);
    }

    private static Settlement decide(SettleRule rule, Outcome outcome, QueuedEvent event) {
        return rule.decide(CLAIM, outcome, event.attempts(), event.envelope().maxAttempts(), Duration.ofDays(3_000));
    }

    private static QueuedEvent failedBefore(int attempts) {
        return cold(World.event(), attempts);
    }

    private static QueuedEvent cold(EventEnvelope event, int attempts) {
        return new QueuedEvent(event, QueuedEvent.Source.COLD, attempts);
    }
}
