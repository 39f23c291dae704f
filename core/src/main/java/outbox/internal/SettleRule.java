package outbox.internal;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import outbox.dispatch.RetryPolicy;
import outbox.model.Claim;
import outbox.model.Outcome;
import outbox.model.Settlement;
import outbox.spi.ClaimRequest;

/**
 * Settle, the decision: what follows from an outcome. A pure function, and the only place that knows retry and dead.
 *
 * @param giveUpAfter how long an event may wait for its delivery before it is dead, whoever is to blame; null: forever
 * @param deathsMax after how many deaths in a row of those who had it an event is dead
 */
public record SettleRule(
        RetryPolicy retryPolicy, int maxAttempts, @Nullable Duration giveUpAfter, int deathsMax) {

    public static final int DEATHS_MAX_DEFAULT = 5;

    /** So that an event is tried alone before it is dead: until then another may have ended the process. */
    public static final int DEATHS_MAX_LEAST = ClaimRequest.SUSPECT_FROM + 1;

    private static final Duration DELAY_MAX = Duration.ofDays(365);
    private static final Duration DELAY_WITHOUT_POLICY = Duration.ofMinutes(1);
    /** For a destination that does not say when it is worth trying again: soon, since nothing counts the tries. */
    private static final Duration DELAY_OF_AN_OUTAGE = Duration.ofSeconds(2);

    public SettleRule {
        if (giveUpAfter != null && (giveUpAfter.isNegative() || giveUpAfter.isZero())) {
            throw new IllegalArgumentException("giveUpAfter must be positive, was " + giveUpAfter);
        }
        if (deathsMax < DEATHS_MAX_LEAST) {
            throw new IllegalArgumentException("deathsMax must be at least " + DEATHS_MAX_LEAST + ", was " + deathsMax);
        }
    }

    /** A rule with the default limit of deaths. */
    public SettleRule(RetryPolicy retryPolicy, int maxAttempts, @Nullable Duration giveUpAfter) {
        this(retryPolicy, maxAttempts, giveUpAfter, DEATHS_MAX_DEFAULT);
    }

    /** A rule that never gives up because of an event's age. */
    public SettleRule(RetryPolicy retryPolicy, int maxAttempts) {
        this(retryPolicy, maxAttempts, null);
    }

    /** What an event that is about to be attempted is rejected for; empty while it may be attempted. */
    public Optional<Outcome> afterDeaths(int deaths) {
        return deaths < deathsMax
                ? Optional.empty()
                : Optional.of(new Outcome.Rejected("the process ended " + deaths
                        + " times in a row while it was delivering this event; deaths-max is " + deathsMax));
    }

    /**
     * What follows from the outcome of an attempt.
     *
     * @param attempts those that failed before it
     * @param ownMax the event's own limit of attempts, if it has one
     * @param age how long the event has been waiting, see {@link outbox.model.OutboxEvent#waitsSince}
     */
    public Settlement decide(Claim claim, Outcome outcome, int attempts, OptionalInt ownMax, Duration age) {
        return switch (outcome) {
            case Outcome.Delivered delivered -> new Settlement.Done(claim);
            case Outcome.Rejected rejected -> new Settlement.Dead(claim, rejected.reason());
            case Outcome.Retryable retryable
            when isTooOld(age) -> new Settlement.Dead(claim, givenUp(retryable.error(), age));
            case Outcome.Retryable retryable -> retryOrDead(claim, retryable, attempts + 1, ownMax);
            case Outcome.Unavailable unavailable -> postponedOrDead(claim, unavailable, age);
        };
    }

    /** How long until an event of this age is given up; zero when it is, and empty when it never is. */
    public Optional<Duration> untilTooOld(Duration age) {
        return giveUpAfter == null ? Optional.empty() : Optional.of(capped(giveUpAfter.minus(age)));
    }

    private boolean isTooOld(Duration age) {
        return giveUpAfter != null && age.compareTo(giveUpAfter) >= 0;
    }

    private String givenUp(String error, Duration age) {
        return "given up after waiting for " + age.truncatedTo(ChronoUnit.SECONDS) + ", with give-up-after "
                + giveUpAfter + ": " + error;
    }

    // Never an attempt, however often it happens: that is what an outage is survived by.
    private Settlement postponedOrDead(Claim claim, Outcome.Unavailable outcome, Duration age) {
        return switch (outcome.scope()) {
            case CALL -> new Settlement.Postponed(claim, Duration.ZERO, outcome.error());
            case ADDRESS, DESTINATION ->
                isTooOld(age)
                        ? new Settlement.Dead(claim, givenUp(outcome.error(), age), false)
                        : new Settlement.Postponed(
                                claim,
                                outcome.after() == null ? DELAY_OF_AN_OUTAGE : capped(outcome.after()),
                                outcome.error());
        };
    }

    private Settlement retryOrDead(Claim claim, Outcome.Retryable outcome, int failed, OptionalInt ownMax) {
        if (failed >= ownMax.orElse(maxAttempts)) {
            return new Settlement.Dead(claim, outcome.error());
        }
        return outcome.after() == null
                ? retryByPolicy(claim, outcome.error(), failed)
                : new Settlement.Retry(claim, capped(outcome.after()), outcome.error());
    }

    // A policy that fails must not keep the attempt from being counted.
    private Settlement retryByPolicy(Claim claim, String error, int failed) {
        try {
            return new Settlement.Retry(claim, capped(Duration.ofMillis(retryPolicy.computeDelayMs(failed))), error);
        } catch (RuntimeException e) {
            String both = error + "; and the retry policy failed: " + ErrorText.of(e);
            return new Settlement.Retry(claim, DELAY_WITHOUT_POLICY, both);
        }
    }

    private static Duration capped(Duration delay) {
        if (delay.isNegative()) {
            return Duration.ZERO;
        }
        return delay.compareTo(DELAY_MAX) > 0 ? DELAY_MAX : delay;
    }
}
