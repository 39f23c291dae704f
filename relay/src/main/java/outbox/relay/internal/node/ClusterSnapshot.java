package outbox.relay.internal.node;

import outbox.spi.relay.ClusterView;

/**
 * What the last heartbeat showed.
 *
 * @param session the session of this node
 * @param stableHeartbeats how many heartbeats in a row have shown the same members
 */
record ClusterSnapshot(String session, ClusterView view, int stableHeartbeats) {

    private static final int STABLE_FROM = 2;

    /** Whether this node may be given partitions. */
    boolean isReady() {
        ClusterView.MemberState mine = view.states().get(session);
        return mine != null && mine.ready();
    }

    /** Whether the members have been the same for long enough. */
    boolean isStable() {
        return stableHeartbeats >= STABLE_FROM;
    }

    /** Whether the members are stable, and all of them are ready and send their heartbeats. */
    boolean isCalm() {
        return isStable()
                && view.members().stream()
                        .map(view::state)
                        .allMatch(state -> state.ready() && !state.isLate() && !state.connectionEnded());
    }
}
