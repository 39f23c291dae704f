package outbox.spi.relay;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.spi.SettleStore;

/** Fetches and settles for a relay that owns partitions. Reads lock nothing; times use the store's clock only. */
public interface PartitionStore extends SettleStore {

    /** Reads each partition as one snapshot, in the order of insertion. Returns a page for each request, in order. */
    List<PartitionPage> fetch(List<PartitionFetch> requests);

    /**
     * Whether reading several partitions takes about as long as reading one. If so, one thread of a relay fetches for
     * many partitions; otherwise the partitions fetch in parallel.
     */
    boolean fetchesAllAtOnce();

    /**
     * Reads lanes as one snapshot. A lane without a pending event that is due or retried comes back empty; a lane whose
     * next event cannot be read now is missing from the result.
     */
    List<LanePage> fetchLanes(LaneFetch request);

    /** Finds in one statement which of a node's partitions have new events, and which delayed events came due. */
    PeekResult peek(PeekRequest request);

    /**
     * The targets that have acknowledged these events, if that was settled and the events are not done; events without
     * an acknowledgement are missing.
     */
    Map<String, Set<String>> acknowledged(Collection<String> eventIds);

    /**
     * Records deliveries before they begin: each begun event counts one death until it is answered or settled, so that
     * the death remains if the node ends meanwhile. Answered events have no deaths any more, and may begin again in the
     * same call. Returns false and changes nothing when the node no longer owns the partition.
     */
    boolean mark(PartitionOwnership ownership, Set<String> answered, Set<String> begun);
}
