package outbox.relay;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Pause;

/**
 * The state of a relay, its destinations and its cluster at one moment.
 *
 * @param at when the relay was asked, by this machine's clock
 * @param member whether this node certainly is a member of the cluster: false as soon as it may have expired
 * @param partitions the partitions that this node owns, in ascending order
 * @param cluster the result of the last heartbeat; null while this node is no member
 * @param pauses the pauses of its configuration and of operators
 * @param fullPartitions the partitions that fetch no new events, because too many of their lanes wait
 * @param eventsInMemory how many events it has fetched and not settled yet
 * @param destinations by name
 */
public record RelayStatus(
        Instant at,
        boolean member,
        Set<Integer> partitions,
        @Nullable ClusterView cluster,
        List<Pause> pauses,
        List<RelayEvent.LanesFull> fullPartitions,
        int eventsInMemory,
        Map<String, DestinationStatus> destinations) {

    public RelayStatus {
        partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
        pauses = List.copyOf(pauses);
        fullPartitions = List.copyOf(fullPartitions);
        destinations = Collections.unmodifiableMap(new LinkedHashMap<>(destinations));
    }

    /** The number of nodes in the cluster that this node sees. */
    public int members() {
        return cluster == null ? 0 : cluster.members().size();
    }
}
