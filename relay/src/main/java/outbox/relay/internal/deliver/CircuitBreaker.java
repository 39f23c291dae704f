package outbox.relay.internal.deliver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.relay.DestinationConfig;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;

/**
 * Keeps events away from a destination, or from one address of it, that is unavailable.
 *
 * <pre>
 *   closed ── unavailable, or enough calls in a row unanswered ──► open ── open time is over ─► half open
 *     ▲                                                             ▲                               │ one event
 *     └──────────── it answered ────────────────────────────────────┼───────────────────────────────┤ probes
 *                                                                   └── no answer: a longer time ◄──┘
 * </pre>
 *
 * <p>An event that fails does not open it: the destination has answered. Not thread-safe: its gate guards it.
 */
final class CircuitBreaker {

    private final DestinationConfig config;
    private State state = State.CLOSED;
    private int unansweredInARow;
    private Duration rest;
    private long openUntilNanos;
    private boolean probing;
    private long probingSinceNanos;

    CircuitBreaker(DestinationConfig config) {
        this.config = config;
        this.rest = config.breakerRest();
    }

    State state() {
        return state;
    }

    /** Whether an event may be delivered now; changes from open to half open when the open time is over. */
    boolean allows(long nowNanos) {
        if (state == State.OPEN && nowNanos - openUntilNanos >= 0) {
            state = State.HALF_OPEN;
            probing = false;
        }
        return state == State.CLOSED || (state == State.HALF_OPEN && untilProbeNanos(nowNanos) <= 0);
    }

    /** While half open, one event probes the destination. */
    void probeStarted(long nowNanos) {
        probing = state == State.HALF_OPEN;
        probingSinceNanos = nowNanos;
    }

    /** The probe found out nothing, and another event may probe. */
    void probeAbandoned() {
        probing = false;
    }

    /** How long until the next event may probe. A probe that is not answered blocks others only for a while. */
    long untilProbeNanos(long nowNanos) {
        return switch (state) {
            case CLOSED -> 0;
            case OPEN -> openUntilNanos - nowNanos;
            case HALF_OPEN -> probing ? probingSinceNanos + rest.toNanos() - nowNanos : 0;
        };
    }

    void succeeded() {
        unansweredInARow = 0;
        rest = config.breakerRest();
        probing = false;
        state = State.CLOSED;
    }

    /** Lets an event probe at once: there is a sign that the outage is over. */
    void retryNow() {
        if (state != State.CLOSED) {
            state = State.HALF_OPEN;
            probing = false;
        }
    }

    /**
     * A call was not answered, although other events were delivered meanwhile.
     *
     * @param probe whether it was the probe; calls from before the outage say nothing about the time after it
     */
    void unanswered(long nowNanos, boolean probe) {
        switch (state) {
            case CLOSED -> {
                unansweredInARow++;
                if (config.breakerFailures() > 0 && unansweredInARow >= config.breakerFailures()) {
                    open(nowNanos, rest);
                }
            }
            case HALF_OPEN -> {
                if (probe) {
                    reopen(nowNanos, null);
                }
            }
            case OPEN -> {}
        }
    }

    /**
     * The destination could not be reached or could not work.
     *
     * @param after the pause that it asked for, if any; respected up to the longest open time
     * @param probe whether the probe or a check of the connection found that
     */
    void unavailable(long nowNanos, @Nullable Duration after, boolean probe) {
        switch (state) {
            case CLOSED -> open(nowNanos, atLeast(rest, after));
            case HALF_OPEN -> {
                if (probe) {
                    reopen(nowNanos, after);
                }
            }
            case OPEN -> {}
        }
    }

    private void reopen(long nowNanos, @Nullable Duration after) {
        Duration twice = rest.multipliedBy(2);
        rest = twice.compareTo(config.breakerRestMax()) > 0 ? config.breakerRestMax() : twice;
        open(nowNanos, atLeast(rest, after));
    }

    private Duration atLeast(Duration rest, @Nullable Duration asked) {
        if (asked == null || asked.compareTo(rest) <= 0) {
            return rest;
        }
        return asked.compareTo(config.breakerRestMax()) > 0 ? config.breakerRestMax() : asked;
    }

    private void open(long nowNanos, Duration forAWhile) {
        state = State.OPEN;
        probing = false;
        unansweredInARow = 0;
        openUntilNanos = nowNanos + forAWhile.toNanos();
    }
}
