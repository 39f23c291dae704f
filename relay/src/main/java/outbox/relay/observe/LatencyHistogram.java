package outbox.relay.observe;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/** Durations in buckets whose bounds double, from a microsecond to about a day: percentiles within a factor of two. */
public final class LatencyHistogram {

    private static final int BUCKETS = 37;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

    void record(Duration duration) {
        long micros = Math.max(1, duration.toNanos() / 1_000);
        counts.incrementAndGet(Math.min(BUCKETS - 1, 63 - Long.numberOfLeadingZeros(micros)));
    }

    /** The upper bounds of the buckets of these percentiles. */
    public record Summary(long count, Duration p50, Duration p95, Duration p99) {}

    public Summary summary() {
        long[] copy = new long[BUCKETS];
        long all = 0;
        for (int i = 0; i < BUCKETS; i++) {
            copy[i] = counts.get(i);
            all += copy[i];
        }
        return new Summary(all, percentile(copy, all, 0.50), percentile(copy, all, 0.95), percentile(copy, all, 0.99));
    }

    private static Duration percentile(long[] counts, long all, double part) {
        long rank = (long) Math.ceil(all * part);
        long below = 0;
        for (int i = 0; i < BUCKETS; i++) {
            below += counts[i];
            if (all > 0 && below >= rank) {
                return Duration.ofNanos((2L << i) * 1_000);
            }
        }
        return Duration.ZERO;
    }
}
