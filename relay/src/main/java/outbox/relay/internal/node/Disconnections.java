package outbox.relay.internal.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;

/**
 * Finds members that have died, by the ends of their connections. The end of a connection is evidence, and not yet proof: a
 * live node that lost its connection has another one with its next heartbeat. So it counts only when two heartbeats of this
 * node in a row have shown it, and when the member has missed its own.
 *
 * <p>What ends the connections of one node may have ended those of all: a proxy, a firewall, the database itself. Then all
 * have missed their heartbeats, and the first to return would end the others. So it counts only for a node whose own
 * heartbeats have been answered without a gap for as long as the member may be silent. Only the thread of the heartbeats
 * uses this.
 */
public final class Disconnections {

    /** A node without an answered heartbeat for longer has missed its own heartbeats. */
    private final Duration gapMax;

    private Set<String> seenBefore = Set.of();
    private boolean answering;
    private long answeringSinceNanos;
    private long lastNanos;

    /** @param heartbeat the interval of this node's heartbeats */
    public Disconnections(Duration heartbeat) {
        this.gapMax = heartbeat.multipliedBy(Heartbeat.MISSING_AFTER);
    }

    /** The members to end, given what the latest heartbeat showed, and when it was answered. */
    public List<Member> confirmed(ClusterView view, long nowNanos) {
        if (answering && nowNanos - lastNanos > gapMax.toNanos()) {
            forget();
        }
        if (!answering) {
            answering = true;
            answeringSinceNanos = nowNanos;
        }
        lastNanos = nowNanos;
        Duration answeringFor = Duration.ofNanos(nowNanos - answeringSinceNanos);
        Set<String> seen = new HashSet<>();
        List<Member> confirmed = new ArrayList<>();
        for (Member member : view.members()) {
            ClusterView.MemberState state = view.state(member);
            if (state.connectionEnded()) {
                seen.add(member.session());
                if (seenBefore.contains(member.session())
                        && state.isMissing()
                        && answeringFor.compareTo(state.patience()) >= 0) {
                    confirmed.add(member);
                }
            }
        }
        seenBefore = seen;
        return confirmed;
    }

    /** A heartbeat has failed: what was seen before proves nothing, since the store may have been down. */
    public void forget() {
        seenBefore = Set.of();
        answering = false;
    }
}
