package outbox.relay;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.relay.observe.RelayEvent.BreakerChanged;

/**
 * What a node knows about one of its destinations.
 *
 * @param breaker whether its circuit breaker lets events through
 * @param paused whether an operator or the configuration has paused it
 * @param eventsInFlight how many events it has been given and has not answered yet
 * @param since when it became unavailable; null while it is not
 * @param lastError the last failure since an event was delivered; null for none
 * @param nextProbe when it is next probed; null while it is available
 * @param addresses the addresses of it that are unavailable, although the destination works
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

    /** Whether events arrive. */
    public enum State {
        /** It has never answered and never been unavailable: it was not contacted yet. */
        UNKNOWN,
        UP,
        /** It is unavailable: events wait. */
        DOWN
    }

    /**
     * An unavailable address.
     *
     * @param probing whether an event is probing it now
     */
    public record Address(String address, Instant since, String lastError, Instant nextProbe, boolean probing) {}
}
