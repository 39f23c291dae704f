package outbox.relay.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import outbox.model.ClusterView;
import outbox.model.Member;

/**
 * Which members have died, as far as their connections tell. The end of a connection is evidence, and not yet proof: a
 * live node that lost its connection has another one with its next heartbeat. So it counts only when two heartbeats of
 * this node in a row have seen it, and when the member has missed its own. Used by the beating thread alone.
 */
public final class Disconnections {

    private Set<String> seenBefore = Set.of();

    /** The members to end, given what the latest heartbeat showed. */
    public List<Member> confirmed(ClusterView view) {
        Set<String> seen = new HashSet<>();
        List<Member> confirmed = new ArrayList<>();
        for (Member member : view.members()) {
            ClusterView.MemberState state = view.state(member);
            if (state.connectionEnded()) {
                seen.add(member.session());
                if (seenBefore.contains(member.session()) && state.isMissing()) {
                    confirmed.add(member);
                }
            }
        }
        seenBefore = seen;
        return confirmed;
    }

    /** This node could not beat: what it saw before proves nothing any more, since the store may have been away. */
    public void forget() {
        seenBefore = Set.of();
    }
}
