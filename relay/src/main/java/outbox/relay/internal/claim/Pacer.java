package outbox.relay.internal.claim;

import java.time.Duration;
import java.util.Arrays;
import outbox.relay.internal.model.Pacing;
import outbox.spi.TimeSource;

/**
 * Decides whether events come fast enough that each fetch finds some without a notification: then an event waits less for a
 * fetch than for its notification. Not thread-safe.
 */
final class Pacer {

    /** The quickest of this many fetches shows how long one takes: another may have waited for a processor. */
    private static final int FETCHES = 4;

    private final TimeSource time;
    private final Pacing pacing;
    private final long windowLengthNanos;
    /** This many in a window make a flow: below that, most fetches would find nothing. */
    private final long eventsMin;

    private long windowNanos;
    private int events;
    private boolean flowing;
    private final long[] lastNanos = new long[FETCHES];
    private int next;

    Pacer(TimeSource time, Pacing pacing) {
        this.time = time;
        this.pacing = pacing;
        this.windowLengthNanos = 2 * pacing.prefetchMax().toNanos();
        this.eventsMin = pacing.prefetchFromPerSecond() * windowLengthNanos / 1_000_000_000;
        this.windowNanos = time.nanoTime();
    }

    /** A fetch has ended. */
    void found(int some, Duration took) {
        long age = time.nanoTime() - windowNanos;
        if (age >= windowLengthNanos) {
            // If no fetch was made for a whole window, older figures do not count.
            flowing = events >= eventsMin && age < 2 * windowLengthNanos;
            windowNanos += age;
            events = 0;
        }
        events += some;
        lastNanos[next] = took.toNanos();
        next = (next + 1) % FETCHES;
    }

    /** How long to rest before the next fetch; zero when there is no flow, and the next notification is to be waited for. */
    Duration rest() {
        if (!flowing) {
            return Duration.ZERO;
        }
        long quickest = Arrays.stream(lastNanos).min().orElseThrow();
        return Duration.ofNanos(Math.clamp(
                (pacing.prefetchShare() - 1) * quickest,
                pacing.prefetchMin().toNanos(),
                pacing.prefetchMax().toNanos()));
    }
}
