package outbox.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as one snapshot of the store showed it.
 *
 * @param members the live ones, the longest-standing first
 * @param slots every slot, by number; empty with {@link ClaimStrategy#LEASE}
 * @param partitionsWanted the number of slots that the cluster is to change to once all are released; null when no
 *     change is under way
 * @param holdsVersion changes whenever something is put on hold or resumed
 */
public record ClusterView(
        List<Member> members,
        List<SlotState> slots,
        RelayTerms terms,
        @Nullable Integer partitionsWanted,
        long holdsVersion) {

    public ClusterView {
        members = List.copyOf(members);
        slots = List.copyOf(slots);
    }

    /**
     * One slot.
     *
     * @param owner the session of its live owner; null when it is free, or when its owner has expired
     */
    public record SlotState(int slot, long epoch, @Nullable String owner) {}
}
