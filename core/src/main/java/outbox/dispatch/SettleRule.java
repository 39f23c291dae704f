package outbox.dispatch;

import java.time.Duration;
import java.util.OptionalInt;
import outbox.model.Claim;
import outbox.model.Outcome;
import outbox.model.Settlement;
import outbox.util.ErrorText;

/** Settle, the decision: what follows from an outcome. A pure function, and the only place that knows retry and dead. */
public record SettleRule(RetryPolicy retryPolicy, int maxAttempts) {

    private static final Duration DELAY_MAX = Duration.ofDays(365);
    private static final Duration DELAY_WITHOUT_POLICY = Duration.ofMinutes(1);

    Settlement decide(Claim claim, Outcome outcome, QueuedEvent event) {
        return decide(claim, outcome, event.attempts(), event.envelope().maxAttempts());
    }

    /**
     * What follows from the outcome of an attempt.
     *
     * @param attempts those that failed before it
     * @param ownMax the event's own limit of attempts, if it has one
     */
    public Settlement decide(Claim claim, Outcome outcome, int attempts, OptionalInt ownMax) {
        return switch (outcome) {
            case Outcome.Delivered delivered -> new Settlement.Done(claim);
            case Outcome.Rejected rejected -> new Settlement.Dead(claim, rejected.reason());
            case Outcome.Retryable retryable -> retryOrDead(claim, retryable, attempts + 1, ownMax);
            case Outcome.Unavailable unavailable ->
                new Settlement.Retry(claim, DELAY_WITHOUT_POLICY, unavailable.error());
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
