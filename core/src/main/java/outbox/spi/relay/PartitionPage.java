package outbox.spi.relay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one snapshot showed of a slot.
 *
 * @param events oldest first
 * @param complete whether these are all that match; otherwise those after the last one were cut off
 * @param horizon every event with a seq up to this that will ever be visible was visible to this snapshot;
 *     {@link #NO_HORIZON} when the store cannot tell; {@link #OTHER_NUMBERS} when the reader's seqs are of another
 *     numbering, or are given out again. Then nothing of this may be taken but the numbering: what it shows may be younger
 *     than what was inserted below the reader's seq
 * @param numbering what the seqs belong to, for the reader to name in its next fetch; null when the store cannot tell
 */
public record PartitionPage(
        List<FetchedEvent> events,
        boolean complete,
        long horizon,
        @Nullable Numbering numbering) {

    public static final long NO_HORIZON = 0;
    public static final long OTHER_NUMBERS = -1;

    /** What a store shows that cannot tell how far its snapshot is complete. */
    public static PartitionPage withoutHorizon(List<FetchedEvent> events, boolean complete) {
        return new PartitionPage(events, complete, NO_HORIZON, null);
    }

    public PartitionPage {
        events = List.copyOf(events);
    }
}
