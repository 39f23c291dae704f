package outbox.spi.relay;

import java.util.List;

/**
 * What one snapshot showed of a slot.
 *
 * @param events oldest first
 * @param complete whether these are all that match; otherwise those after the last one were cut off
 * @param horizon every event with a seq up to this that will ever be visible was visible to this snapshot;
 *     {@link #NO_HORIZON} when the store cannot tell; {@link #OTHER_NUMBERS} when seqs up to the one that was asked for
 *     were given out by another server, or are given out again. Then nothing of this may be taken: what it shows may be
 *     younger than what was inserted below that seq
 */
public record PartitionPage(List<FetchedEvent> events, boolean complete, long horizon) {

    public static final long NO_HORIZON = 0;
    public static final long OTHER_NUMBERS = -1;

    public PartitionPage {
        events = List.copyOf(events);
    }
}
