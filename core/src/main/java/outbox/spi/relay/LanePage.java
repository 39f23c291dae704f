package outbox.spi.relay;

import java.util.List;

/**
 * What one snapshot showed of a lane.
 *
 * @param events those in order, oldest first
 * @param complete whether these are all; otherwise younger ones were cut off
 */
public record LanePage(int keyHash, List<FetchedEvent> events, boolean complete) {

    public LanePage {
        events = List.copyOf(events);
    }

    /** The same of these events. */
    public LanePage with(List<FetchedEvent> others) {
        return new LanePage(keyHash, others, complete);
    }
}
