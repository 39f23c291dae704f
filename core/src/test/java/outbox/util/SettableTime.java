package outbox.util;

import java.time.Duration;
import java.time.Instant;
import outbox.spi.TimeSource;

/** Both clocks, standing still until a test moves them. Any thread may read and move them. */
public final class SettableTime implements TimeSource {

    // Both guarded by this.
    private Instant now;
    private long nanos;

    public SettableTime(Instant now) {
        this.now = now;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public synchronized long nanoTime() {
        return nanos;
    }

    /** Sets the wall clock, forward or back, and leaves the monotonic one alone. */
    public synchronized void set(Instant instant) {
        now = instant;
    }

    /** Lets time pass, on both clocks. */
    public synchronized void pass(Duration duration) {
        now = now.plus(duration);
        nanos += duration.toNanos();
    }
}
