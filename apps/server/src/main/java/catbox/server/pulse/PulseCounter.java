package catbox.server.pulse;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import outbox.relay.observe.RelayEvent;
import outbox.relay.observe.RelayListener;

/**
 * Counts the deliveries of a relay between two samples. The relay's threads write it without waiting, and the sampling
 * thread empties it: an event that is counted meanwhile belongs to one of the two samples.
 */
public final class PulseCounter implements RelayListener {

    /** Eight buckets for each doubling, from a millisecond's eighth on: percentiles within an eighth. */
    private static final int STEPS = 8;

    private static final int BUCKETS = STEPS * 30;
    private static final double MILLIS_MIN = 0.125;

    private final LongAdder delivered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicLongArray latencies = new AtomicLongArray(BUCKETS);

    /** The counts since the last sample. */
    record Counted(
            long delivered,
            long failed,
            @Nullable Double p50Millis,
            @Nullable Double p99Millis) {}

    @Override
    public void on(RelayEvent event) {
        switch (event) {
            case RelayEvent.Delivered e -> {
                delivered.increment();
                latencies.incrementAndGet(bucket(e.latency()));
            }
            case RelayEvent.AttemptFailed e -> failed.increment();
            case RelayEvent.Postponed e -> failed.increment();
            case RelayEvent.Died e -> failed.increment();
            default -> {} // Other events are no deliveries.
        }
    }

    private static int bucket(Duration latency) {
        double millis = Math.max(MILLIS_MIN, latency.toNanos() / 1e6);
        int bucket = (int) (STEPS * Math.log(millis / MILLIS_MIN) / Math.log(2));
        return Math.min(BUCKETS - 1, bucket);
    }

    Counted empty() {
        long[] copy = new long[BUCKETS];
        long all = 0;
        for (int i = 0; i < BUCKETS; i++) {
            copy[i] = latencies.getAndSet(i, 0);
            all += copy[i];
        }
        return new Counted(
                delivered.sumThenReset(),
                failed.sumThenReset(),
                percentile(copy, all, 0.50),
                percentile(copy, all, 0.99));
    }

    private static @Nullable Double percentile(long[] counts, long all, double part) {
        long rank = Math.max(1, (long) Math.ceil(all * part));
        long below = 0;
        for (int i = 0; i < BUCKETS; i++) {
            below += counts[i];
            if (all > 0 && below >= rank) {
                return MILLIS_MIN * Math.pow(2, (i + 1.0) / STEPS);
            }
        }
        return null;
    }
}
