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
 * Decides what follows from an outcome. A pure function, and the only place that decides between retry and dead.
 *
 * @param giveUpAfter how long an event may wait for its delivery before it is dead, whatever the cause; null: forever
 * @param deathsMax the number of processes in a row that end while they have an event, after which the event is dead
 */
public record SettleRule(
        RetryPolicy retryPolicy, int maxAttempts, @Nullable Duration giveUpAfter, int deathsMax) {

    public static final int DEATHS_MAX_DEFAULT = 5;

    /** High enough that an event is tried alone before it is dead: another may have ended the process before. */
    public static final int DEATHS_MAX_LEAST = ClaimRequest.SUSPECT_FROM + 1;

    private static final Duration DELAY_MAX = Duration.ofDays(365);
    private static final Duration DELAY_WITHOUT_POLICY = Duration.ofMinutes(1);
    /** For a destination that does not name a time for the next attempt: short, because the attempts do not count. */
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

    /** The rejection of an event that is not attempted because of its deaths; empty while it may be attempted. */
    public Optional<Outcome> afterDeaths(int deaths) {
        return deaths < deathsMax
                ? Optional.empty()
                : Optional.of(new Outcome.Rejected("the process ended " + deaths
                        + " times in a row while it was delivering this event; deaths-max is " + deathsMax));
    }

    /**
     * Decides what follows from the outcome of an attempt.
     *
     * @param attempts the failed attempts before it
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

    /** The time until an event of this age is given up; zero when it is given up now, and empty when it never is. */
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

    // Never counts an attempt, so that events survive an outage of any length.
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

    // The attempt must count even if the policy fails.
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
