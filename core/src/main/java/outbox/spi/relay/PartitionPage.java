package outbox.spi.relay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of a partition in one snapshot.
 *
 * @param events oldest first
 * @param complete whether these are all that match; otherwise there are more after the last one
 * @param numbering the numbering of the seqs, for the reader's next fetch; null when the store does not know
 */
public record PartitionPage(
        List<FetchedEvent> events,
        boolean complete,
        Horizon horizon,
        @Nullable Numbering numbering) {

    /** A page of a store that does not know how far its snapshot is complete. */
    public static PartitionPage withoutHorizon(List<FetchedEvent> events, boolean complete) {
        return new PartitionPage(events, complete, Horizon.UNKNOWN, null);
    }

    public PartitionPage {
        events = List.copyOf(events);
    }

    /** The same page with these events. */
    public PartitionPage with(List<FetchedEvent> others) {
        return new PartitionPage(others, complete, horizon, numbering);
    }
}
