package outbox.relay.internal.node;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.ClusterView.PartitionState;
import outbox.spi.relay.Member;

/**
 * Plans which member is to own which partition. A pure function of the view, so that all nodes with the same view get the
 * same plan. The view names the present owners, so that as few partitions as possible move. A member that is not ready gets
 * nothing: the owners of its future partitions keep them until it is.
 *
 * <p>The plan moves nothing. Each node releases what is not planned for it, and acquires what is planned for it and free. So
 * two nodes with different views can want the same partition, but never own it.
 */
public final class PartitionPlan {

    private final List<Member> able;
    private final List<PartitionState> partitions;

    private PartitionPlan(ClusterView view) {
        this.able = view.members().stream()
                .filter(member -> member.weight() > 0 && view.state(member).ready())
                .toList();
        this.partitions = view.partitions();
    }

    /** The partitions that the session is to own. */
    public static Set<Integer> of(ClusterView view, String session) {
        Set<Integer> mine = new TreeSet<>();
        all(view).forEach((partition, owner) -> {
            if (owner.equals(session)) {
                mine.add(partition);
            }
        });
        return mine;
    }

    /** The session that is to own each partition; empty when no member may own any. */
    public static Map<Integer, String> all(ClusterView view) {
        PartitionPlan assignment = new PartitionPlan(view);
        if (assignment.able.isEmpty()) {
            return Map.of();
        }
        return view.terms().strategy() == ClaimStrategy.PRIMARY ? assignment.toOne() : assignment.byWeight();
    }

    // The member that owns most already, so that a change of strategy moves as little as possible; then the oldest.
    private Map<Integer, String> toOne() {
        Member primary = able.get(0);
        for (Member member : able) {
            if (owned(member).size() > owned(primary).size()) {
                primary = member;
            }
        }
        Map<Integer, String> all = new TreeMap<>();
        for (PartitionState partition : partitions) {
            all.put(partition.partition(), primary.session());
        }
        return all;
    }

    private Map<Integer, String> byWeight() {
        Map<String, Integer> quotas = quotas();
        Map<Integer, String> all = new TreeMap<>();
        for (Member member : able) {
            owned(member).stream()
                    .limit(quota(quotas, member))
                    .forEach(partition -> all.put(partition, member.session()));
        }
        List<Integer> moving = new ArrayList<>();
        for (PartitionState partition : partitions) {
            if (!all.containsKey(partition.partition())) {
                moving.add(partition.partition());
            }
        }
        int next = 0;
        for (Member member : able) {
            long kept = all.values().stream().filter(member.session()::equals).count();
            for (long missing = quota(quotas, member) - kept; missing > 0; missing--) {
                all.put(moving.get(next++), member.session());
            }
        }
        return all;
    }

    /**
     * How many partitions each member is to own: its exact share rounded down, and one of the rest for each of those who lost
     * most by rounding; among equals for the present owners.
     */
    private Map<String, Integer> quotas() {
        long weights = able.stream().mapToLong(Member::weight).sum();
        Map<String, Integer> quotas = new HashMap<>();
        int left = partitions.size();
        for (Member member : able) {
            int whole = (int) (partitions.size() * (long) member.weight() / weights);
            quotas.put(member.session(), whole);
            left -= whole;
        }
        List<Member> byLoss = new ArrayList<>(able);
        byLoss.sort(Comparator.comparingLong((Member member) -> -(partitions.size() * (long) member.weight() % weights))
                .thenComparingInt(member -> owned(member).size() > quota(quotas, member) ? 0 : 1));
        for (Member member : byLoss.subList(0, left)) {
            quotas.merge(member.session(), 1, Integer::sum);
        }
        return quotas;
    }

    private static int quota(Map<String, Integer> quotas, Member member) {
        return quotas.getOrDefault(member.session(), 0);
    }

    private List<Integer> owned(Member member) {
        return partitions.stream()
                .filter(partition -> isOwner(member, partition.owner()))
                .map(PartitionState::partition)
                .toList();
    }

    private static boolean isOwner(Member member, @Nullable String owner) {
        return member.session().equals(owner);
    }
}
