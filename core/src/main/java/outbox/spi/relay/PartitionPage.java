package outbox.spi.relay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one snapshot showed of a slot.
 *
 * @param events oldest first
 * @param complete whether these are all that match; otherwise those after the last one were cut off
 * @param numbering what the seqs belong to, for the reader to name in its next fetch; null when the store cannot tell
 */
public record PartitionPage(
        List<FetchedEvent> events,
        boolean complete,
        Horizon horizon,
        @Nullable Numbering numbering) {

    /** What a store shows that cannot tell how far its snapshot is complete. */
    public static PartitionPage withoutHorizon(List<FetchedEvent> events, boolean complete) {
        return new PartitionPage(events, complete, Horizon.UNKNOWN, null);
    }

    public PartitionPage {
        events = List.copyOf(events);
    }

    /** The same of these events. */
    public PartitionPage with(List<FetchedEvent> others) {
        return new PartitionPage(others, complete, horizon, numbering);
    }
}
