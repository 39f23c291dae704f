package outbox.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import outbox.spi.TimeSource;

/** Time that stands still until a test moves it. Safe for use by any number of threads. */
public final class ManualTime implements TimeSource {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    // Both guarded by this, so that no thread sees one clock moved and the other not.
    private Instant wall;
    // Starts close to the overflow: code that compares monotonic times instead of their difference shows itself.
    private long monotonicNanos = Long.MAX_VALUE - Duration.ofSeconds(10).toNanos();

    public ManualTime() {
        this(START);
    }

    public ManualTime(Instant start) {
        this.wall = start.truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public synchronized Instant instant() {
        return wall;
    }

    @Override
    public synchronized long nanoTime() {
        return monotonicNanos;
    }

    /** Lets time pass: both clocks move on. */
    public synchronized void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("time does not run backwards; jumpWallClock can. Was " + by);
        }
        wall = wall.plus(by);
        monotonicNanos += by.toNanos();
    }

    /** Sets the wall clock forward or back, as an administrator might; the monotonic clock does not notice. */
    public synchronized void jumpWallClock(Duration by) {
        wall = wall.plus(by);
    }
}
