package outbox.spi.relay;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One snapshot of the cluster.
 *
 * @param members the live members, the oldest first
 * @param partitions every partition, by number; empty with {@link ClaimStrategy#LEASE}
 * @param partitionsWanted the number of partitions that the cluster changes to once all are released; null without a
 *     change
 * @param pausesVersion changes whenever something is paused or resumed
 * @param states the state of each member, by session
 */
public record ClusterView(
        List<Member> members,
        List<PartitionState> partitions,
        ClusterLayout terms,
        @Nullable Integer partitionsWanted,
        long pausesVersion,
        Map<String, MemberState> states) {

    public ClusterView {
        members = List.copyOf(members);
        partitions = List.copyOf(partitions);
        states = Map.copyOf(states);
    }

    /** The state of a member of this view. */
    public MemberState state(Member member) {
        MemberState state = states.get(member.session());
        if (state == null) {
            throw new IllegalArgumentException(member.session() + " is no member of this view");
        }
        return state;
    }

    /**
     * The state of a member, by the store's clock.
     *
     * @param silentFor since its last heartbeat
     * @param interval the interval of its heartbeats; zero when unknown
     * @param ready whether it may be given partitions
     * @param connectionEnded whether the store sees that its heartbeat connection has ended; always false if a store
     *     cannot see that
     */
    public record MemberState(Duration silentFor, Duration interval, boolean ready, boolean connectionEnded) {

        /** Whether its heartbeat is late by a quarter of its interval or more. */
        public boolean isLate() {
            return !interval.isZero() && silentFor.compareTo(interval.plus(interval.dividedBy(4))) > 0;
        }

        /** Whether it has missed enough heartbeats that operators should know. */
        public boolean isMissing() {
            return !interval.isZero() && silentFor.compareTo(patience()) >= 0;
        }

        /** How long it may be silent before it is missing. */
        public Duration patience() {
            return interval.multipliedBy(Heartbeat.MISSING_AFTER);
        }
    }

    /**
     * One partition.
     *
     * @param owner the session of its live owner; null when it is free, or when its owner has expired
     */
    public record PartitionState(
            int partition, long epoch, @Nullable String owner) {}
}
