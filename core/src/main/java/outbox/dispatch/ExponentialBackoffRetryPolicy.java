package outbox.dispatch;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Doubles the delay with each failure up to a limit, and varies it randomly by up to half. */
public final class ExponentialBackoffRetryPolicy implements RetryPolicy {

    private final long baseDelayMs;
    private final long maxDelayMs;
    private final RandomGenerator random;

    public ExponentialBackoffRetryPolicy(long baseDelayMs, long maxDelayMs) {
        // Workers share one policy, and each thread has its own generator.
        this(baseDelayMs, maxDelayMs, () -> ThreadLocalRandom.current().nextLong());
    }

    public ExponentialBackoffRetryPolicy(long baseDelayMs, long maxDelayMs, RandomGenerator random) {
        if (baseDelayMs < 1) {
            throw new IllegalArgumentException("baseDelayMs must be at least 1, was " + baseDelayMs);
        }
        if (maxDelayMs < baseDelayMs) {
            throw new IllegalArgumentException(
                    "maxDelayMs must be at least baseDelayMs (" + baseDelayMs + "), was " + maxDelayMs);
        }
        this.baseDelayMs = baseDelayMs;
        this.maxDelayMs = maxDelayMs;
        this.random = random;
    }

    @Override
    public long computeDelayMs(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, was " + attempts);
        }
        // As a double, 2^n cannot overflow into a negative delay.
        double delay = Math.min((double) maxDelayMs, baseDelayMs * Math.pow(2, attempts - 1));
        return Math.round(delay * random.nextDouble(0.5, 1.5));
    }
}
