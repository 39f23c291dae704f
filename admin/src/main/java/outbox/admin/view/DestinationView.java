package outbox.admin.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A destination as one node sees it.
 *
 * @param state unknown before it was contacted for the first time; up; or down, while it is unavailable and events wait
 * @param inFlight events that were sent and not answered yet
 * @param downSince since when it has been unavailable; null while it is not
 * @param nextProbe when it is probed again at the latest; null while it is available
 * @param lastError since the last successful delivery; null for none
 * @param addresses topics, queues or paths of it that are unavailable while the rest of it works
 */
public record DestinationView(
        String name,
        String kind,
        String state,
        boolean paused,
        int inFlight,
        @Nullable Instant downSince,
        @Nullable Instant nextProbe,
        @Nullable String lastError,
        List<Address> addresses) {

    public static final String UP = "up";
    public static final String DOWN = "down";
    public static final String UNKNOWN = "unknown";

    public DestinationView {
        addresses = List.copyOf(addresses);
    }

    /** An unavailable address. */
    public record Address(String address, Instant since, Instant nextProbe, String lastError) {}

    public boolean isDown() {
        return state.equals(DOWN);
    }
}
