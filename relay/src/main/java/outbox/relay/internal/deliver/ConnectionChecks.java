package outbox.relay.internal.deliver;

import java.time.Duration;

/**
 * When the connection of an unavailable destination is checked: at once, then at growing intervals. The longest is short
 * enough that the end of an outage is noticed within a few seconds, however long it lasted. Not thread-safe: its gate
 * guards it.
 */
final class ConnectionChecks {

    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final Duration INTERVAL_MAX = Duration.ofSeconds(2);

    private boolean running;
    private boolean failed;
    private Duration interval = INTERVAL;
    private long nextNanos;

    /**
     * The destination has just become unavailable.
     *
     * @param atOnce whether the first check that succeeds lets an event try, since perhaps a single connection of several was
     *     broken. A destination that answered, and asked to be left alone for a while, is left alone.
     */
    void begin(long nowNanos, boolean atOnce) {
        failed = atOnce;
        interval = INTERVAL;
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
        interval = interval.multipliedBy(2).compareTo(INTERVAL_MAX) > 0 ? INTERVAL_MAX : interval.multipliedBy(2);
        return isBack;
    }
}
