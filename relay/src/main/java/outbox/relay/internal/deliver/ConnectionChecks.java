package outbox.relay.internal.deliver;

import java.time.Duration;
import outbox.relay.internal.model.Pacing;

/**
 * When the connection of an unavailable destination is checked: at once, then at growing intervals. The longest is short
 * enough that the end of an outage is noticed within a few seconds, however long it lasted. Not thread-safe: its gate
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
     * @param atOnce whether the first check that succeeds lets an event try, since perhaps a single connection of several was
     *     broken. A destination that answered, and asked to be left alone for a while, is left alone.
     */
    void begin(long nowNanos, boolean atOnce) {
        failed = atOnce;
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
