package outbox.spi.relay;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A look at the pending events of a slot that are in order: due, or waiting for their retry, but not delayed ones
 * whose time has not come.
 *
 * @param afterSeq leaves out what is at or below it
 * @param numbering that of the last page which the reader has taken; null before the first
 * @param lanesLeftOut key hashes whose events are left out
 * @param inMemoryIds ids of events that are left out, because the reader has them already
 * @param bytesMax the sum of payload sizes to stay below; the first event is given whatever its size
 */
public record PartitionFetch(
        ClusterLayout terms,
        int partition,
        long afterSeq,
        @Nullable Numbering numbering,
        Set<Integer> lanesLeftOut,
        Set<String> inMemoryIds,
        int eventsMax,
        long bytesMax) {

    /** The first fetch of a reader. */
    public PartitionFetch(
            ClusterLayout terms,
            int partition,
            long afterSeq,
            Set<Integer> lanesLeftOut,
            int eventsMax,
            long bytesMax) {
        this(terms, partition, afterSeq, null, lanesLeftOut, Set.of(), eventsMax, bytesMax);
    }

    public PartitionFetch {
        if (partition < 0 || partition >= terms.partitions()) {
            throw new IllegalArgumentException(
                    "partition must be from 0 to " + (terms.partitions() - 1) + ", was " + partition);
        }
        if (eventsMax < 1 || bytesMax < 1) {
            throw new IllegalArgumentException(
                    "eventsMax and bytesMax must be at least 1, were " + eventsMax + " and " + bytesMax);
        }
    }
}
