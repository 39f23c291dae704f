package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.LayoutMismatchException;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.PartitionOwnership;

/** Nobody works on a store on other terms than the rest, and the terms change without a gap between them. */
interface LayoutContract extends ContractPart {

    ClusterLayout PRIMARY = new ClusterLayout(ClaimStrategy.PRIMARY, 6);
    ClusterLayout LEASE = new ClusterLayout(ClaimStrategy.LEASE, 6);

    @Test
    default void refusesARelayWithAnotherStrategyAndNamesBoth() {
        RelayNode node = underTest().relayNode("node");

        assertRefused(PRIMARY, "partitioned", "primary", "changeStrategy");
        assertRefused(LEASE, "partitioned", "lease", "changeStrategy");

        assertThat(node.view().members()).containsExactly(node.member());
    }

    @Test
    default void refusesARelayWithAnotherNumberOfPartitionsAndNamesBoth() {
        assertRefused(partitioned(12), "12", "6", "changePartitions");
        RelayNode node = underTest().relayNode("node");
        assertRefused(partitioned(12), "12", "6", "changePartitions");

        assertThat(node.view().members()).containsExactly(node.member());
    }

    @Test
    default void aRelayWithoutPartitionsIgnoresTheirNumber() {
        new RelayNode(underTest().fixture(), LEASE, "six").join();
        RelayNode other =
                new RelayNode(underTest().fixture(), new ClusterLayout(ClaimStrategy.LEASE, 12), "twelve").join();

        assertThat(other.view().members()).hasSize(2);
        assertRefused(RelayNode.TERMS, "lease", "partitioned");
    }

    @Test
    default void relaysAndDispatchersRefuseEachOthersStore() {
        underTest().fixture().claimStore().open();

        assertRefused(RelayNode.TERMS, "dispatcher", "partitioned");
        underTest().fixture().claimStore().open();
        admin().changeStrategy(ClaimStrategy.PARTITIONED, "test");
        underTest().relayNode("node");

        assertThatThrownBy(() -> underTest().fixture().claimStore().open())
                .isInstanceOf(LayoutMismatchException.class)
                .hasMessageContainingAll("partitioned", "Run a relay");
    }

    private void assertRefused(ClusterLayout terms, String... words) {
        assertThatThrownBy(() -> new RelayNode(underTest().fixture(), terms, "refused").join())
                .isInstanceOf(LayoutMismatchException.class)
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource(
            value = ClaimStrategy.class,
            names = {"PARTITIONED", "PRIMARY"})
    default void changesTheStrategyUnderLiveMembersThatOwnPartitions(ClaimStrategy before) {
        ClaimStrategy after = before == ClaimStrategy.PRIMARY ? ClaimStrategy.PARTITIONED : ClaimStrategy.PRIMARY;
        RelayNode node = new RelayNode(underTest().fixture(), new ClusterLayout(before, 6), "node").join();
        PartitionOwnership hold = node.acquire(0);

        admin().changeStrategy(after, "test");

        assertThat(node.view().terms()).isEqualTo(new ClusterLayout(after, 6));
        assertThat(node.partition(0)).isEqualTo(new ClusterView.PartitionState(0, hold.epoch(), node.session()));
        assertThat(node.tryAcquire(1)).hasSize(1);
        assertRefused(new ClusterLayout(before, 6), before.label(), after.label());
        new RelayNode(underTest().fixture(), new ClusterLayout(after, 6), "new").join();
    }

    @Test
    default void changesToOrFromAStrategyWithoutPartitionsOnlyWithoutLiveMembers() {
        RelayNode node = underTest().relayNode("node");
        assertThatThrownBy(() -> admin().changeStrategy(ClaimStrategy.LEASE, "test"))
                .isInstanceOf(LayoutMismatchException.class)
                .hasMessageContainingAll("partitioned", "lease");
        assertThat(node.view().terms()).isEqualTo(RelayNode.TERMS);

        node.leave();
        admin().changeStrategy(ClaimStrategy.LEASE, "test");
        RelayNode other = new RelayNode(underTest().fixture(), LEASE, "other").join();

        assertThatThrownBy(() -> admin().changeStrategy(ClaimStrategy.PRIMARY, "test"))
                .isInstanceOf(LayoutMismatchException.class);
        assertThat(other.view().terms().strategy()).isEqualTo(ClaimStrategy.LEASE);
        underTest().fixture().clusterStore().heartbeat(Heartbeat.of(other.session(), Claimer.BRIEF));
        Await.until("the last member has expired", () -> {
            try {
                admin().changeStrategy(ClaimStrategy.PRIMARY, "test");
                return true;
            } catch (LayoutMismatchException stillAlive) {
                return false;
            }
        });
        assertThat(new RelayNode(underTest().fixture(), PRIMARY, "primary")
                        .join()
                        .view()
                        .partitions())
                .hasSize(6);
    }

    @Test
    default void showsMembersAChangeOfPartitionsAndGivesNoneMeanwhile() {
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership hold = node.acquire(0);

        admin().changePartitions(12, "test");

        ClusterView view = node.view();
        assertThat(view.partitionsWanted()).isEqualTo(12);
        assertThat(view.terms()).isEqualTo(RelayNode.TERMS);
        assertThat(view.partitions()).hasSize(6);
        assertThat(node.partition(0).owner()).isEqualTo(node.session());
        assertThat(node.tryAcquire(1)).isEmpty();
        node.release(hold);
        assertThat(node.tryAcquire(0)).isEmpty();
    }

    @Test
    default void repartitionsOnceEveryPartitionIsFree() {
        RelayNode first = underTest().relayNode("first");
        RelayNode second = underTest().relayNode("second");
        PartitionOwnership released = first.acquire(0);
        second.acquire(5);
        List<ClusterView.PartitionState> before = first.view().partitions();
        assertThat(cluster().repartition()).isFalse();
        admin().changePartitions(9, "test");

        assertThat(cluster().repartition()).isFalse();
        first.release(released);
        assertThat(cluster().repartition()).isFalse();
        second.expire(first);
        assertThat(cluster().repartition()).isTrue();
        assertThat(cluster().repartition()).isFalse();

        ClusterView view = first.view();
        assertThat(view.terms()).isEqualTo(partitioned(9));
        assertThat(view.partitionsWanted()).isNull();
        assertThat(view.partitions())
                .extracting(ClusterView.PartitionState::partition)
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(view.partitions())
                .extracting(ClusterView.PartitionState::owner)
                .containsOnlyNulls();
        assertThat(before)
                .allSatisfy(slot -> assertThat(
                                view.partitions().get(slot.partition()).epoch())
                        .isGreaterThan(slot.epoch()));
        assertThat(first.tryAcquire(0)).as("on the terms of before").isEmpty();
        assertThat(cluster().acquire(Set.of(8), first.session(), partitioned(9)))
                .hasSize(1);
        assertRefused(RelayNode.TERMS, "9", "6");
    }

    @Test
    default void aPartitionThatWasRemovedReturnsWithAHigherEpoch() {
        RelayNode node = underTest().relayNode("node");
        PartitionOwnership before = node.acquire(5);
        node.release(before);

        admin().changePartitions(2, "test");
        assertThat(cluster().repartition()).isTrue();
        assertThat(node.view().partitions()).hasSize(2);
        assertThat(cluster().acquire(Set.of(5), node.session(), partitioned(2))).isEmpty();
        assertThat(cluster().acquire(Set.of(1), node.session(), partitioned(2))).hasSize(1);
        cluster().leave(node.session());
        admin().changePartitions(6, "test");
        assertThat(cluster().repartition()).isTrue();

        assertThat(underTest().relayNode("later").acquire(5).epoch()).isGreaterThan(before.epoch());
    }

    @Test
    default void refusesANumberOfPartitionsThatNoStoreCanHave() {
        assertThatThrownBy(() -> admin().changePartitions(0, "test")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> admin().changePartitions(ClusterLayout.PARTITIONS_MAX + 1, "test"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(underTest().relayNode("node").view().partitionsWanted()).isNull();
    }

    private static ClusterLayout partitioned(int partitions) {
        return new ClusterLayout(ClaimStrategy.PARTITIONED, partitions);
    }

    private ClusterAdmin admin() {
        return underTest().fixture().clusterAdmin();
    }

    private ClusterStore cluster() {
        return underTest().fixture().clusterStore();
    }
}
