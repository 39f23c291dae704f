package outbox.relay;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.relay.observe.RelayEvent.BreakerChanged;

/**
 * The state of a destination as one node sees it.
 *
 * @param breaker the state of its circuit breaker
 * @param paused whether an operator or the configuration has paused it
 * @param eventsInFlight how many events it has received and not answered yet
 * @param since when it became unavailable; null while it is not
 * @param lastError the last failure since an event was delivered; null for none
 * @param nextProbe when it is next probed; null while it is available
 * @param addresses its unavailable addresses, although the destination works
 */
public record DestinationStatus(
        State state,
        BreakerChanged.State breaker,
        boolean paused,
        int eventsInFlight,
        @Nullable Instant since,
        @Nullable String lastError,
        @Nullable Instant nextProbe,
        List<Address> addresses) {

    public static final DestinationStatus NOT_CONTACTED =
            new DestinationStatus(State.UNKNOWN, BreakerChanged.State.CLOSED, false, 0, null, null, null, List.of());

    public DestinationStatus {
        addresses = List.copyOf(addresses);
    }

    /** Whether the destination is available. */
    public enum State {
        /** It was not contacted yet. */
        UNKNOWN,
        UP,
        /** It is unavailable: events wait. */
        DOWN
    }

    /**
     * An unavailable address.
     *
     * @param probing whether an event is in flight that probes it
     */
    public record Address(String address, Instant since, String lastError, Instant nextProbe, boolean probing) {}
}
