package outbox.spi.relay;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the pending events of a partition in their order: those that are due or wait for their retry, but not
 * delayed ones that are not due yet.
 *
 * @param afterSeq excludes events at or below it
 * @param numbering the numbering of the reader's last page; null before the first
 * @param lanesLeftOut key hashes whose events are excluded
 * @param inMemoryIds ids of events that the reader has already
 * @param bytesMax the limit of the sum of payload sizes; the first event is returned whatever its size
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
