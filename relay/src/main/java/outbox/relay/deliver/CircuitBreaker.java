package outbox.relay.deliver;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;

/**
 * Leaves a destination alone that answers nothing but failures.
 *
 * <pre>
 *   closed ── enough different events failed in a row ──► open ── its rest is over ──► half open
 *     ▲                                                    ▲                               │ one event to try
 *     └──────────── it succeeded ──────────────────────────┼───────────────────────────────┤
 *                                                          └── it failed: a longer rest ◄──┘
 * </pre>
 *
 * <p>Different events, so that one that always fails, and is alone, does not look like a destination that is down.
 * Not for several threads by itself: its gate guards it.
 */
final class CircuitBreaker {

    private final DestinationConfig config;
    private State state = State.CLOSED;
    private final Set<String> failedInARow = new HashSet<>();
    private Duration rest;
    private long openUntilNanos;
    private boolean trying;

    CircuitBreaker(DestinationConfig config) {
        this.config = config;
        this.rest = config.breakerRest();
    }

    State state() {
        return state;
    }

    /** Whether an event may go now; moves from open to half open when the rest is over. */
    boolean allows(long nowNanos) {
        if (state == State.OPEN && nowNanos - openUntilNanos >= 0) {
            state = State.HALF_OPEN;
            trying = false;
        }
        return state == State.CLOSED || (state == State.HALF_OPEN && !trying);
    }

    /** While half open, one event goes to try. */
    void began() {
        trying = state == State.HALF_OPEN;
    }

    /** The event that was to be tried did not go after all. */
    void gaveUpTrying() {
        trying = false;
    }

    long openForNanos(long nowNanos) {
        return state == State.OPEN ? openUntilNanos - nowNanos : 0;
    }

    void succeeded() {
        failedInARow.clear();
        rest = config.breakerRest();
        trying = false;
        state = State.CLOSED;
    }

    void failed(String eventId, long nowNanos) {
        switch (state) {
            case CLOSED -> {
                failedInARow.add(eventId);
                if (config.breakerFailures() > 0 && failedInARow.size() >= config.breakerFailures()) {
                    open(nowNanos);
                }
            }
            case HALF_OPEN -> {
                rest = rest.multipliedBy(2).compareTo(config.breakerRestMax()) > 0
                        ? config.breakerRestMax()
                        : rest.multipliedBy(2);
                open(nowNanos);
            }
            case OPEN -> {}
        }
    }

    private void open(long nowNanos) {
        state = State.OPEN;
        trying = false;
        failedInARow.clear();
        openUntilNanos = nowNanos + rest.toNanos();
    }
}
