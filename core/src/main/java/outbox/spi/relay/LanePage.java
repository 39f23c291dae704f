package outbox.spi.relay;

import java.util.List;

/**
 * The events of a lane in one snapshot.
 *
 * @param events its pending events, oldest first
 * @param complete whether these are all; otherwise there are younger ones
 */
public record LanePage(int keyHash, List<FetchedEvent> events, boolean complete) {

    public LanePage {
        events = List.copyOf(events);
    }

    /** The same page with these events. */
    public LanePage with(List<FetchedEvent> others) {
        return new LanePage(keyHash, others, complete);
    }
}
