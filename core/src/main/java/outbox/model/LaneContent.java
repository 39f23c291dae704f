package outbox.model;

import java.util.List;

/**
 * What one snapshot showed of a lane.
 *
 * @param events those in order, oldest first
 * @param complete whether these are all; otherwise younger ones were cut off
 */
public record LaneContent(int keyHash, List<PendingEvent> events, boolean complete) {

    public LaneContent {
        events = List.copyOf(events);
    }
}
