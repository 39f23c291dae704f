package outbox.relay;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.RetryPolicy;
import outbox.internal.SettleRule;
import outbox.spi.SettleRequest.DoneRows;

/**
 * The settings for retries and dead events, and for writing settlements.
 *
 * @param maxAttempts for events without their own limit; default 10
 * @param retryPolicy how long to wait after a failure; default from 200 ms doubling to 60 s, spread by half
 * @param doneRows whether rows of done events are kept and purged later (the default) or deleted at once
 * @param onDeadEvent what happens to the key of a dead event; default: it continues
 * @param linger how long a finished event may wait for others to be settled with it; default 50 ms
 * @param giveUpAfter the age at which an event becomes dead although its destination is unavailable; null for never
 *     (the default)
 * @param deathsMax the number of nodes in a row that end while they have an event, after which the event is dead;
 *     default 5
 */
public record SettleConfig(
        int maxAttempts,
        RetryPolicy retryPolicy,
        DoneRows doneRows,
        OnDeadEvent onDeadEvent,
        Duration linger,
        @Nullable Duration giveUpAfter,
        int deathsMax) {

    public static final Duration RETRY_BASE_DELAY = Duration.ofMillis(200);
    public static final Duration RETRY_MAX_DELAY = Duration.ofSeconds(60);

    /** What happens to the younger events of a key when one of its events is dead. */
    public enum OnDeadEvent {
        /** They are delivered without it. */
        CONTINUE,
        /** The key is paused until an operator resumes it. */
        PAUSE_KEY
    }

    public SettleConfig {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be at least 1, was " + maxAttempts);
        }
        if (giveUpAfter != null && (giveUpAfter.isNegative() || giveUpAfter.isZero())) {
            throw new IllegalArgumentException("giveUpAfter must be positive, or null for never; was " + giveUpAfter);
        }
        if (deathsMax < SettleRule.DEATHS_MAX_LEAST) {
            throw new IllegalArgumentException(
                    "deathsMax must be at least " + SettleRule.DEATHS_MAX_LEAST + ", was " + deathsMax);
        }
        if (linger.isNegative() || linger.compareTo(Duration.ofSeconds(10)) > 0) {
            throw new IllegalArgumentException("linger must be from 0 to 10 s, was " + linger);
        }
    }

    public static SettleConfig defaults() {
        return new SettleConfig(
                10,
                new ExponentialBackoffRetryPolicy(RETRY_BASE_DELAY.toMillis(), RETRY_MAX_DELAY.toMillis()),
                DoneRows.KEEP,
                OnDeadEvent.CONTINUE,
                Duration.ofMillis(50),
                null,
                SettleRule.DEATHS_MAX_DEFAULT);
    }

    public SettleConfig withMaxAttempts(int value) {
        return new SettleConfig(value, retryPolicy, doneRows, onDeadEvent, linger, giveUpAfter, deathsMax);
    }

    public SettleConfig withRetryPolicy(RetryPolicy value) {
        return new SettleConfig(maxAttempts, value, doneRows, onDeadEvent, linger, giveUpAfter, deathsMax);
    }

    public SettleConfig withDoneRows(DoneRows value) {
        return new SettleConfig(maxAttempts, retryPolicy, value, onDeadEvent, linger, giveUpAfter, deathsMax);
    }

    public SettleConfig withOnDeadEvent(OnDeadEvent value) {
        return new SettleConfig(maxAttempts, retryPolicy, doneRows, value, linger, giveUpAfter, deathsMax);
    }

    public SettleConfig withLinger(Duration value) {
        return new SettleConfig(maxAttempts, retryPolicy, doneRows, onDeadEvent, value, giveUpAfter, deathsMax);
    }

    public SettleConfig withGiveUpAfter(@Nullable Duration value) {
        return new SettleConfig(maxAttempts, retryPolicy, doneRows, onDeadEvent, linger, value, deathsMax);
    }

    public SettleConfig withDeathsMax(int value) {
        return new SettleConfig(maxAttempts, retryPolicy, doneRows, onDeadEvent, linger, giveUpAfter, value);
    }
}
