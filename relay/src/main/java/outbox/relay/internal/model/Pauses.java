package outbox.relay.internal.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import outbox.internal.KeyHash;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Member;
import outbox.spi.relay.Pause;

/**
 * Everything that is paused, as one read showed it.
 *
 * @param generation counts the reads; the higher one began later
 */
public record Pauses(long generation, Map<Pause.Subject, Pause> bySubject) {

    public static final Pauses NONE = new Pauses(0, Map.of());

    public static Pauses of(long generation, List<Pause> pauses) {
        Map<Pause.Subject, Pause> bySubject = new LinkedHashMap<>();
        pauses.forEach(pause -> bySubject.put(pause.subject(), pause));
        return new Pauses(generation, Collections.unmodifiableMap(bySubject));
    }

    public boolean isPartitionPaused(int partition) {
        return has(Pause.Kind.SOURCE, "") || has(Pause.Kind.PARTITION, Integer.toString(partition));
    }

    public boolean isRoutePaused(String name) {
        return has(Pause.Kind.ROUTE, name);
    }

    public boolean isDestinationPaused(String name) {
        return has(Pause.Kind.DESTINATION, name);
    }

    public boolean isNodePaused(String nodeId) {
        return has(Pause.Kind.NODE, nodeId);
    }

    /** The view in which paused nodes have no weight, so that their partitions move to others. */
    public ClusterView drained(ClusterView view) {
        List<Member> members = view.members().stream()
                .map(member -> isNodePaused(member.nodeId())
                        ? new Member(member.session(), member.nodeId(), 0, member.version(), member.address())
                        : member)
                .toList();
        return new ClusterView(
                members, view.partitions(), view.terms(), view.partitionsWanted(), view.pausesVersion(), view.states());
    }

    private boolean has(Pause.Kind kind, String name) {
        return !bySubject.isEmpty() && bySubject.containsKey(new Pause.Subject(kind, name));
    }

    /** The lanes of the paused keys, with the reasons. */
    public Map<Integer, String> lanes() {
        return bySubject.values().stream()
                .filter(pause -> pause.subject().kind() == Pause.Kind.KEY)
                .collect(Collectors.toMap(
                        pause -> KeyHash.of(pause.subject().name()), Pause::reason, (one, other) -> one));
    }

    public Optional<Pause> of(Pause.Subject subject) {
        return Optional.ofNullable(bySubject.get(subject));
    }

    public Set<Pause.Subject> subjects() {
        return bySubject.keySet();
    }
}
