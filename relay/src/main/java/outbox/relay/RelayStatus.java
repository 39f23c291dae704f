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
 * What a relay knows of itself, its destinations and its cluster at one moment.
 *
 * @param at when the relay was asked, by this machine's clock
 * @param member whether this node surely is a member of the cluster: false as soon as its lease may be over
 * @param partitions the partitions that this node owns, in ascending order
 * @param cluster what the last heartbeat showed; null while this node is no member
 * @param pauses what its configuration and operators have paused
 * @param fullPartitions the partitions from which it fetches nothing new, because too many of their lanes wait
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

    /** How many members the cluster has, by the last heartbeat. */
    public int members() {
        return cluster == null ? 0 : cluster.members().size();
    }
}
