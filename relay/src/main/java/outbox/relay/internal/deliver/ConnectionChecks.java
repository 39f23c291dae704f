package outbox.relay.internal.deliver;

import java.time.Duration;
import outbox.relay.internal.model.Pacing;

/**
 * Schedules the checks of an unavailable destination's connection: the first at once, the others at growing intervals. The
 * longest interval is short enough that the end of any outage is noticed within a few seconds. Not thread-safe: its gate
 * guards it.
 */
final class ConnectionChecks {

    private boolean running;
    private boolean failed;
    private Duration interval = Pacing.MEASURED.checkMin();
    private long nextNanos;

    /**
     * The destination has just become unavailable.
     *
     * @param probeAfterCheck whether the first check that succeeds lets an event probe, since perhaps only one connection of
     *     several was broken. False for a destination that asked for a pause.
     */
    void begin(long nowNanos, boolean probeAfterCheck) {
        failed = probeAfterCheck;
        interval = Pacing.MEASURED.checkMin();
        nextNanos = nowNanos;
    }

    boolean isDue(long nowNanos) {
        return !running && untilNextNanos(nowNanos) <= 0;
    }

    long untilNextNanos(long nowNanos) {
        return nextNanos - nowNanos;
    }

    void started() {
        running = true;
    }

    /** Records the result of a check; true when the connection works again after a check that failed. */
    boolean ended(boolean reached, long nowNanos) {
        boolean isBack = reached && failed;
        running = false;
        failed = !reached;
        nextNanos = nowNanos + interval.toNanos();
        Duration twice = interval.multipliedBy(2);
        Duration most = Pacing.MEASURED.checkMax();
        interval = twice.compareTo(most) > 0 ? most : twice;
        return isBack;
    }
}
