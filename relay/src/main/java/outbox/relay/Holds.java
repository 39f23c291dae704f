package outbox.relay;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import outbox.model.ClusterView;
import outbox.model.Hold;
import outbox.model.Member;
import outbox.util.KeyHash;

/**
 * Everything on hold, as one look showed it.
 *
 * @param generation counts the looks; the higher one began later
 */
record Holds(long generation, Map<Hold.Subject, Hold> bySubject) {

    static final Holds NONE = new Holds(0, Map.of());

    static Holds of(long generation, List<Hold> holds) {
        Map<Hold.Subject, Hold> bySubject = new LinkedHashMap<>();
        holds.forEach(hold -> bySubject.put(hold.subject(), hold));
        return new Holds(generation, Collections.unmodifiableMap(bySubject));
    }

    boolean holdsSlot(int slot) {
        return has(Hold.Kind.SOURCE, "") || has(Hold.Kind.PARTITION, Integer.toString(slot));
    }

    boolean holdsRoute(String name) {
        return has(Hold.Kind.ROUTE, name);
    }

    boolean holdsDestination(String name) {
        return has(Hold.Kind.DESTINATION, name);
    }

    boolean holdsNode(String nodeId) {
        return has(Hold.Kind.NODE, nodeId);
    }

    /** The view in which nodes on hold have no weight, so that their slots go to others. */
    ClusterView drained(ClusterView view) {
        List<Member> members = view.members().stream()
                .map(member -> holdsNode(member.nodeId())
                        ? new Member(member.session(), member.nodeId(), 0, member.version(), member.address())
                        : member)
                .toList();
        return new ClusterView(
                members, view.slots(), view.terms(), view.partitionsWanted(), view.holdsVersion(), view.states());
    }

    private boolean has(Hold.Kind kind, String name) {
        return !bySubject.isEmpty() && bySubject.containsKey(new Hold.Subject(kind, name));
    }

    /** The lanes of the keys on hold, with the reasons. */
    Map<Integer, String> lanes() {
        return bySubject.values().stream()
                .filter(hold -> hold.subject().kind() == Hold.Kind.KEY)
                .collect(
                        Collectors.toMap(hold -> KeyHash.of(hold.subject().name()), Hold::reason, (one, other) -> one));
    }

    Optional<Hold> of(Hold.Subject subject) {
        return Optional.ofNullable(bySubject.get(subject));
    }

    Set<Hold.Subject> subjects() {
        return bySubject.keySet();
    }
}
