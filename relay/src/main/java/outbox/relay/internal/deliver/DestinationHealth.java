package outbox.relay.internal.deliver;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.relay.DestinationConfig;
import outbox.relay.DestinationStatus;
import outbox.relay.observe.RelayEvent.BreakerChanged.State;
import outbox.spi.TimeSource;

/**
 * Knows whether one destination works, from the answers to events and from checks of its connection. Not thread-safe: its
 * gate guards it.
 */
final class DestinationHealth {

    final CircuitBreaker breaker;
    private final ConnectionChecks checks = new ConnectionChecks();
    private final TimeSource time;
    private boolean contacted;
    private @Nullable String lastError; // since the last success
    private @Nullable Instant downSince; // null while it is available

    DestinationHealth(DestinationConfig config, TimeSource time) {
        this.breaker = new CircuitBreaker(config);
        this.time = time;
    }

    /** The destination answered an event; true when that closed the breaker. */
    boolean answered() {
        contacted = true;
        lastError = null;
        downSince = null;
        boolean closed = breaker.state() != State.CLOSED;
        breaker.succeeded();
        return closed;
    }

    void eventFailed(String error) {
        lastError = error;
    }

    /** A call was not answered, although other events were delivered meanwhile; true when that opened the breaker. */
    boolean unanswered(String error, boolean probe) {
        State before = breaker.state();
        breaker.unanswered(time.nanoTime(), probe);
        return failed(error, before, true);
    }

    /** The destination could not be reached or could not work; true when that opened the breaker. */
    boolean unavailable(String error, @Nullable Duration after, boolean probe) {
        State before = breaker.state();
        breaker.unavailable(time.nanoTime(), after, probe);
        return failed(error, before, after == null);
    }

    private boolean failed(String error, State before, boolean probeAfterCheck) {
        lastError = error;
        contacted |= breaker.state() == State.CLOSED;
        boolean opened = before != State.OPEN && breaker.state() == State.OPEN;
        if (opened && downSince == null) {
            downSince = time.instant();
            checks.begin(time.nanoTime(), probeAfterCheck);
        }
        return opened;
    }

    boolean isDown() {
        return downSince != null;
    }

    boolean isUp() {
        return contacted && downSince == null;
    }

    /** Whether the connection is to be checked now; the caller then checks it. */
    boolean takeCheck() {
        boolean due = isDown() && checks.isDue(time.nanoTime());
        if (due) {
            checks.started();
        }
        return due;
    }

    /**
     * Records the result of a check; true when an event may probe the destination at once.
     *
     * @param unused whether no event is in flight or waits: then a connection that works ends the outage
     */
    boolean checked(boolean reached, boolean unused) {
        boolean probeNow = checks.ended(reached, time.nanoTime()) && isDown();
        contacted |= reached;
        if (probeNow) {
            breaker.retryNow();
        } else if (reached && unused) {
            downSince = null;
            lastError = null;
        }
        return probeNow;
    }

    /** @param onlyChecked whether no event waits to probe the destination, so that only its connection is checked */
    DestinationStatus status(
            boolean paused, int eventsInFlight, boolean onlyChecked, List<DestinationStatus.Address> addresses) {
        DestinationStatus.State state = isDown()
                ? DestinationStatus.State.DOWN
                : contacted ? DestinationStatus.State.UP : DestinationStatus.State.UNKNOWN;
        Instant nextProbe = isDown() ? time.instant().plusNanos(Math.max(0, untilProbeNanos(onlyChecked))) : null;
        return new DestinationStatus(
                state, breaker.state(), paused, eventsInFlight, downSince, lastError, nextProbe, addresses);
    }

    private long untilProbeNanos(boolean onlyChecked) {
        long now = time.nanoTime();
        long untilEvent = breaker.untilProbeNanos(now);
        return untilEvent <= 0 && onlyChecked ? checks.untilNextNanos(now) : untilEvent;
    }
}
