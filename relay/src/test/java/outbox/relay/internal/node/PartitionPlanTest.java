package outbox.relay.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.ClusterView.MemberState;
import outbox.spi.relay.ClusterView.PartitionState;
import outbox.spi.relay.Member;

class PartitionPlanTest {

    private static final List<Member> THREE = List.of(member("a", 1), member("b", 1), member("c", 1));

    @ParameterizedTest
    @CsvSource({"6,1", "6,2", "6,3", "6,4", "6,5", "6,6", "6,9", "64,5", "7,3", "1,4"})
    void spreadsPartitionsEvenlyOverEqualNodes(int partitions, int nodes) {
        List<Member> members = new ArrayList<>();
        for (int n = 0; n < nodes; n++) {
            members.add(member("n" + n, 1));
        }

        Map<String, Integer> counts = counts(PartitionPlan.all(view(members, free(partitions))), members);

        assertThat(counts.values()).allMatch(count -> count == partitions / nodes || count == partitions / nodes + 1);
        assertThat(counts.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(partitions);
    }

    @Test
    void spreadsSlotsByWeight() {
        List<Member> members = List.of(member("light", 1), member("heavy", 3));

        assertThat(counts(PartitionPlan.all(view(members, free(8))), members))
                .isEqualTo(Map.of("light", 2, "heavy", 6));
    }

    @Test
    void givesWhatRoundingLeavesOverToThoseWhoLostMost() {
        List<Member> members = List.of(member("a", 5), member("b", 3), member("c", 2));

        // Exact shares of 7 partitions: 3.5, 2.1 and 1.4.
        assertThat(counts(PartitionPlan.all(view(members, free(7))), members))
                .isEqualTo(Map.of("a", 4, "b", 2, "c", 1));
    }

    @Test
    void givesANodeOfNoWeightNothing() {
        List<Member> members = List.of(member("watcher", 0), member("worker", 1));

        assertThat(PartitionPlan.of(view(members, free(6)), "watcher")).isEmpty();
        assertThat(PartitionPlan.of(view(members, free(6)), "worker")).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void takesEverythingFromANodeThatLostItsWeight() {
        List<Member> members = List.of(member("watcher", 0), member("worker", 1));

        assertThat(PartitionPlan.of(view(members, owned("watcher", "watcher", "worker")), "worker"))
                .containsExactly(0, 1, 2);
    }

    @Test
    void assignsNothingWhenNobodyMayOwn() {
        assertThat(PartitionPlan.all(view(List.of(member("watcher", 0)), free(6))))
                .isEmpty();
        assertThat(PartitionPlan.all(view(List.of(), free(6)))).isEmpty();
        assertThat(PartitionPlan.of(view(List.of(), free(6)), "a")).isEmpty();
    }

    @Test
    void movesNothingThatNeedNotMoveWhenANodeJoins() {
        List<PartitionState> partitions = owned("a", "a", "a", "b", "b", "b");

        Map<Integer, String> all = PartitionPlan.all(view(THREE, partitions));

        assertThat(counts(all, THREE)).isEqualTo(Map.of("a", 2, "b", 2, "c", 2));
        assertThat(moved(partitions, all)).isEqualTo(2);
    }

    @Test
    void movesOnlyWhatTheLeaverHadWhenANodeLeaves() {
        List<PartitionState> partitions = owned("a", "a", "gone", "gone", "c", "c");

        Map<Integer, String> all = PartitionPlan.all(view(List.of(member("a", 1), member("c", 1)), partitions));

        assertThat(all)
                .containsEntry(0, "a")
                .containsEntry(1, "a")
                .containsEntry(4, "c")
                .containsEntry(5, "c");
        assertThat(all).containsEntry(2, "a").containsEntry(3, "c");
    }

    @Test
    void leavesTheExtraSlotWithWhoeverHasIt() {
        // Seven partitions on three nodes: one of them has three, and that is the youngest here.
        List<PartitionState> partitions = owned("a", "a", "b", "b", "c", "c", "c");

        assertThat(moved(partitions, PartitionPlan.all(view(THREE, partitions))))
                .isZero();
    }

    @Test
    void isTheSameForEverybodyWhoSeesTheSame() {
        ClusterView view = view(THREE, owned(null, "a", null, "b", "b", null));

        Map<Integer, String> all = PartitionPlan.all(view);

        for (Member member : THREE) {
            assertThat(PartitionPlan.of(view, member.session()))
                    .allMatch(partition -> member.session().equals(all.get(partition)));
        }
    }

    @Test
    void givesAPrimaryEverything() {
        assertThat(PartitionPlan.of(primary(THREE, free(6)), "a")).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(PartitionPlan.of(primary(THREE, free(6)), "b")).isEmpty();
    }

    @Test
    void keepsThePrimaryThatIs() {
        assertThat(PartitionPlan.of(primary(THREE, owned("b", "b", "b", "b")), "b"))
                .containsExactly(0, 1, 2, 3);
    }

    @Test
    void makesThePrimaryOfWhoeverHasMostAlready() {
        assertThat(PartitionPlan.of(primary(THREE, owned("a", "c", "c", "b")), "c"))
                .containsExactly(0, 1, 2, 3);
    }

    @Test
    void makesNoPrimaryOfANodeWithoutWeight() {
        List<Member> members = List.of(member("watcher", 0), member("worker", 1));

        assertThat(PartitionPlan.of(primary(members, owned("watcher", "watcher")), "worker"))
                .containsExactly(0, 1);
    }

    @Test
    void givesEverybodyItsQuotaWithAsFewMovesAsPossibleWhateverTheView() {
        Random random = new Random(20261115);
        for (int round = 0; round < 5_000; round++) {
            List<Member> members = randomMembers(random);
            List<PartitionState> partitions = randomPartitions(random, members);
            ClusterView view = view(members, partitions);

            Map<Integer, String> all = PartitionPlan.all(view);

            List<Member> able = members.stream().filter(m -> m.weight() > 0).toList();
            if (able.isEmpty()) {
                assertThat(all).isEmpty();
                continue;
            }
            assertThat(all.keySet()).as("every partition of %s", view).hasSize(partitions.size());
            assertThat(able.stream().map(Member::session).toList()).containsAll(all.values());
            assertQuotas(view, able, all);
            assertThat(partitions.size() - moved(partitions, all))
                    .as("kept in %s", view)
                    .isEqualTo(keptAtBest(able, partitions));
            assertThat(PartitionPlan.all(view(members, applied(partitions, all))))
                    .isEqualTo(all);
        }
    }

    private static void assertQuotas(ClusterView view, List<Member> able, Map<Integer, String> all) {
        long weights = able.stream().mapToLong(Member::weight).sum();
        int partitions = view.partitions().size();
        Map<String, Integer> counts = counts(all, able);
        for (Member member : able) {
            long floor = partitions * (long) member.weight() / weights;
            assertThat((long) counts.get(member.session()))
                    .as("quota in %s", view)
                    .isBetween(floor, floor + 1);
            for (Member other : able) {
                boolean lostLess = remainder(partitions, member, weights) < remainder(partitions, other, weights);
                boolean gotMore = counts.get(member.session()) > floor
                        && counts.get(other.session()) == partitions * (long) other.weight() / weights;
                assertThat(lostLess && gotMore).as("unfair in %s", view).isFalse();
            }
        }
    }

    /** The most partitions that can stay where they are, by counting alone. */
    private static long keptAtBest(List<Member> able, List<PartitionState> partitions) {
        long weights = able.stream().mapToLong(Member::weight).sum();
        long left = partitions.size();
        long kept = 0;
        TreeMap<Long, List<Boolean>> wouldUseOneMore = new TreeMap<>();
        for (Member member : able) {
            long owned = partitions.stream()
                    .filter(s -> member.session().equals(s.owner()))
                    .count();
            long floor = partitions.size() * (long) member.weight() / weights;
            kept += Math.min(owned, floor);
            left -= floor;
            wouldUseOneMore
                    .computeIfAbsent(-remainder(partitions.size(), member, weights), r -> new ArrayList<>())
                    .add(owned > floor);
        }
        for (List<Boolean> equals : wouldUseOneMore.values()) {
            long given = Math.min(left, equals.size());
            kept += Math.min(given, equals.stream().filter(uses -> uses).count());
            left -= given;
        }
        return kept;
    }

    private static long remainder(int partitions, Member member, long weights) {
        return partitions * (long) member.weight() % weights;
    }

    private static List<Member> randomMembers(Random random) {
        List<Member> members = new ArrayList<>();
        int count = random.nextInt(7);
        for (int n = 0; n < count; n++) {
            members.add(member("n" + n, random.nextInt(5)));
        }
        return members;
    }

    private static List<PartitionState> randomPartitions(Random random, List<Member> members) {
        List<String> owners = new ArrayList<>();
        int count = 1 + random.nextInt(20);
        for (int n = 0; n < count; n++) {
            int lot = random.nextInt(members.size() + 2);
            owners.add(lot < members.size() ? members.get(lot).session() : lot == members.size() ? null : "unknown");
        }
        return owned(owners.toArray(String[]::new));
    }

    private static Member member(String session, int weight) {
        return new Member(session, session, weight, "1", "");
    }

    private static List<PartitionState> free(int partitions) {
        return owned(new String[partitions]);
    }

    private static List<PartitionState> owned(String... owners) {
        List<PartitionState> partitions = new ArrayList<>();
        for (String owner : owners) {
            partitions.add(new PartitionState(partitions.size(), 1, owner));
        }
        return partitions;
    }

    private static List<PartitionState> applied(List<PartitionState> partitions, Map<Integer, String> all) {
        return partitions.stream()
                .map(partition -> new PartitionState(
                        partition.partition(), partition.epoch() + 1, all.get(partition.partition())))
                .toList();
    }

    private static ClusterView view(List<Member> members, List<PartitionState> partitions) {
        return view(ClaimStrategy.PARTITIONED, members, partitions);
    }

    private static ClusterView primary(List<Member> members, List<PartitionState> partitions) {
        return view(ClaimStrategy.PRIMARY, members, partitions);
    }

    private static ClusterView view(ClaimStrategy strategy, List<Member> members, List<PartitionState> partitions) {
        return new ClusterView(
                members, partitions, new ClusterLayout(strategy, partitions.size()), null, 0, states(members));
    }

    private static Map<String, MemberState> states(List<Member> members) {
        return members.stream()
                .collect(Collectors.toMap(
                        Member::session, member -> new MemberState(Duration.ZERO, Duration.ofSeconds(1), true, false)));
    }

    private static Map<String, Integer> counts(Map<Integer, String> all, List<Member> members) {
        Map<String, Integer> counts = new TreeMap<>();
        members.forEach(member -> counts.put(member.session(), 0));
        all.values().forEach(session -> counts.merge(session, 1, Integer::sum));
        return counts;
    }

    private static int moved(List<PartitionState> before, Map<Integer, String> after) {
        return (int) before.stream()
                .filter(partition -> !after.get(partition.partition()).equals(partition.owner()))
                .count();
    }
}
