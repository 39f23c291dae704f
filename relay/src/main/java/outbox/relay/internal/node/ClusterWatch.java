package outbox.relay.internal.node;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.relay.internal.loop.RelayContext;
import outbox.relay.observe.RelayEvent;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Member;

/**
 * Evaluates what heartbeats show of the cluster: members that join, leave, are missing or have lost their connection. The
 * thread of the heartbeats is the only caller, except of {@link #snapshot}.
 */
final class ClusterWatch {

    private final ClusterStore store;
    private final RelayContext relay;
    private final Disconnections disconnections;
    private List<String> missing = List.of();

    /** Null while this node is no member. */
    private volatile @Nullable ClusterSnapshot snapshot;

    ClusterWatch(ClusterStore store, RelayContext relay) {
        this.store = store;
        this.relay = relay;
        this.disconnections = new Disconnections(relay.config().cluster().heartbeat());
    }

    /** What the last heartbeat showed; null while this node is no member. Any thread. */
    @Nullable
    ClusterSnapshot snapshot() {
        return snapshot;
    }

    /** This node is no member any more. */
    void lost() {
        snapshot = null;
        forgetDisconnections();
    }

    /** A heartbeat has failed: what was seen before proves nothing any more. */
    void forgetDisconnections() {
        disconnections.forget();
    }

    /** Takes what a heartbeat has shown. */
    ClusterSnapshot update(String session, ClusterView view) {
        ClusterSnapshot before = snapshot;
        boolean same = before != null
                && before.session().equals(session)
                && before.view().members().equals(view.members());
        if (!same) {
            relay.listener()
                    .on(new RelayEvent.MembersChanged(
                            view.members().stream().map(Member::nodeId).toList()));
        }
        reportMissing(view);
        ClusterSnapshot now =
                new ClusterSnapshot(session, view, same && before != null ? before.stableHeartbeats() + 1 : 1);
        snapshot = now;
        return now;
    }

    private void reportMissing(ClusterView view) {
        List<String> now = view.members().stream()
                .filter(member -> view.state(member).isMissing())
                .map(Member::nodeId)
                .toList();
        if (!now.equals(missing)) {
            missing = now;
            relay.listener().on(new RelayEvent.MembersMissing(now));
        }
    }

    /** Ends members that have lost their connection and are missing; true when there was any. */
    boolean endDisconnected(ClusterView view) {
        boolean any = false;
        for (Member member : disconnections.confirmed(view, relay.time().nanoTime())) {
            Duration silentFor = view.state(member).patience();
            if (store.endDisconnected(member.session(), silentFor)) {
                relay.listener()
                        .on(new RelayEvent.MemberEnded(
                                member.nodeId(), view.state(member).silentFor()));
                any = true;
            }
        }
        return any;
    }

    // Sooner while nodes join, leave or move partitions, and at the moment in which a silent node is missing.
    Duration untilNextHeartbeat(ClusterSnapshot now, boolean hurried) {
        Duration heartbeat = relay.config().cluster().heartbeat();
        if (hurried) {
            return heartbeat.dividedBy(10);
        }
        Duration most = now.isCalm() ? heartbeat : heartbeat.dividedBy(4);
        return now.view().states().values().stream()
                .map(state -> state.patience().minus(state.silentFor()))
                .filter(left -> left.isPositive() && left.compareTo(most) < 0)
                .min(Comparator.naturalOrder())
                .orElse(most);
    }
}
