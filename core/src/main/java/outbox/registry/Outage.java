package outbox.registry;

import java.time.Duration;

/**
 * One outage of a destination or of one of its addresses: when to probe it, and how long deliveries wait. Guarded by
 * its {@link OutageGate}.
 *
 * <pre>
 *  waiting ──interval over──► probing ──answered──► the outage is over
 *     ▲                          │
 *     └──────unavailable─────────┘ (twice the interval)
 * </pre>
 */
final class Outage {

    static final Duration INTERVAL_MIN = Duration.ofMillis(250);
    static final Duration INTERVAL_MAX = Duration.ofSeconds(4);

    private static final Duration WAIT_MIN = Duration.ofMillis(20);
    private static final Duration WAIT_FOR_PROBE_MIN = Duration.ofMillis(100);
    /** Above this number the waits are spread over time, so that a long backlog does not overload the store. */
    private static final int REFUSALS_PER_SECOND = 1_000;

    private static final int SPREAD_SECONDS_MAX = 60;

    private String error;
    private Duration interval;
    private long nextProbeNanos;
    private boolean probing;
    private long probeSinceNanos;
    private int refusedSinceProbe;

    Outage(String error, Duration asked, long now) {
        this.error = error;
        this.interval = INTERVAL_MIN;
        this.nextProbeNanos = now + restAfter(asked).toNanos();
    }

    String error() {
        return error;
    }

    boolean admits(long now) {
        return !probing && now - nextProbeNanos >= 0;
    }

    void beginProbe(long now) {
        probing = true;
        probeSinceNanos = now;
    }

    /** The probe ended without an answer about the destination; the next delivery is a new probe. */
    void cancelProbe() {
        probing = false;
    }

    void probeFailed(String why, Duration asked, long now) {
        probing = false;
        error = why;
        interval = shorter(interval.multipliedBy(2), INTERVAL_MAX);
        nextProbeNanos = now + restAfter(asked).toNanos();
        refusedSinceProbe = 0;
    }

    private Duration restAfter(Duration asked) {
        return longer(interval, shorter(asked, INTERVAL_MAX)); // It may be back before the time that it named.
    }

    /** How long a delivery that failed waits for the next probe. */
    Duration untilProbe(long now) {
        return longer(WAIT_MIN, Duration.ofNanos(nextProbeNanos - now));
    }

    /** How long a refused delivery waits: for the next probe, or for the one in flight. */
    Duration refuse(long now) {
        Duration spread = Duration.ofSeconds(Math.min(SPREAD_SECONDS_MAX, refusedSinceProbe / REFUSALS_PER_SECOND));
        refusedSinceProbe++;
        return (probing ? forProbe(now) : untilProbe(now)).plus(spread);
    }

    // As long again as the probe has taken so far: short while an answer is likely, long when the probe hangs.
    private Duration forProbe(long now) {
        return longer(WAIT_FOR_PROBE_MIN, shorter(INTERVAL_MAX, Duration.ofNanos(now - probeSinceNanos)));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
