package outbox.spi.relay;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.spi.SettleStore;

/**
 * Fetch and settle for a relay that owns slots. Reads change nothing and lock nothing; times are counted by the
 * store's clock alone.
 */
public interface PartitionStore extends SettleStore {

    /** Reads slots in the order of insertion, each as one snapshot. Gives a page for each request, in their order. */
    List<PartitionPage> fetch(List<PartitionFetch> requests);

    /**
     * Whether reading several slots takes about as long as reading one. Where it does, a relay has one thread fetch for
     * many slots; elsewhere each slot fetches for itself, at the same time as the others.
     */
    boolean fetchesAllAtOnce();

    /**
     * Reads lanes, as one snapshot. A lane without an event in order comes back empty; one whose next event cannot be read for
     * now does not come back.
     */
    List<LanePage> fetchLanes(LaneFetch request);

    /** Finds out in one statement whether any of a node's slots has something new, and what came due. */
    PeekResult peek(PeekRequest request);

    /**
     * Which targets have acknowledged these events, as far as that was settled and the events are not done; events
     * without an acknowledgement are left out.
     */
    Map<String, Set<String>> acknowledged(Collection<String> eventIds);

    /**
     * Writes down, before it happens, that events are delivered: each that is begun has one death more until it is
     * answered or settled, so that it has if the node ends meanwhile. Those that are answered have none any more, and may
     * be begun again at once. False, and nothing is changed, when the slot is not the node's any more.
     */
    boolean mark(PartitionOwnership ownership, Set<String> answered, Set<String> begun);
}
