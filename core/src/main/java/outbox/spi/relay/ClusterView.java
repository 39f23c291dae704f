package outbox.spi.relay;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as one snapshot of the store showed it.
 *
 * @param members the live ones, the longest-standing first
 * @param partitions every partition, by number; empty with {@link ClaimStrategy#LEASE}
 * @param partitionsWanted the number of slots that the cluster is to change to once all are released; null when no
 *     change is under way
 * @param pausesVersion changes whenever something is paused or resumed
 * @param states how each of the members is, by session
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

    /** How a member of this view is. */
    public MemberState state(Member member) {
        MemberState state = states.get(member.session());
        if (state == null) {
            throw new IllegalArgumentException(member.session() + " is no member of this view");
        }
        return state;
    }

    /**
     * How a member is, by the store's clock.
     *
     * @param silentFor since its last heartbeat
     * @param interval how often it is to beat; zero when it has not said so
     * @param ready whether it may be given partitions
     * @param connectionEnded whether the store sees that the connection on which it beats has ended; never true where
     *     a store cannot see that
     */
    public record MemberState(Duration silentFor, Duration interval, boolean ready, boolean connectionEnded) {

        /** Its heartbeat is late, by a quarter of its interval or more. */
        public boolean isLate() {
            return !interval.isZero() && silentFor.compareTo(interval.plus(interval.dividedBy(4))) > 0;
        }

        /** It is silent for so long that people should know. */
        public boolean isMissing() {
            return !interval.isZero() && silentFor.compareTo(patience()) >= 0;
        }

        /** How long it may be silent before it is missing. */
        public Duration patience() {
            return interval.multipliedBy(Heartbeat.MISSING_AFTER);
        }
    }

    /**
     * One slot.
     *
     * @param owner the session of its live owner; null when it is free, or when its owner has expired
     */
    public record PartitionState(
            int partition, long epoch, @Nullable String owner) {}
}
