package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import outbox.spi.operations.ClusterReport;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.PartitionOwnership;

/** An operator sees who is there, who is not any more, and who owns what. */
interface ClusterReportContract extends OperatorPart {

    @Test
    default void aStoreThatNoRelayHasWorkedOnHasNoTerms() {
        ClusterReport report = operator().store().cluster();

        assertThat(report.terms()).isNull();
        assertThat(report.nodes()).isEmpty();
        assertThat(report.partitionsWanted()).isNull();
    }

    @Test
    default void showsNodesByNameAndTheirPartitions() {
        Instant before = operator().events().partitions().now();
        RelayNode second = operator().events().relayNode("node-b");
        RelayNode first = operator().events().relayNode("node-a");
        PartitionOwnership hold = first.acquire(3);

        ClusterReport report = operator().store().cluster();

        assertThat(report.terms()).isEqualTo(RelayNode.TERMS);
        assertThat(report.nodes())
                .extracting(ClusterReport.Node::member)
                .containsExactly(first.member(), second.member());
        assertThat(report.nodes()).allSatisfy(node -> {
            assertThat(node.isAlive(report.now())).isTrue();
            assertThat(node.joinedAt()).isBetween(before, report.now());
            assertThat(node.heartbeatAt()).isBetween(node.joinedAt(), report.now());
        });
        assertThat(report.partitions())
                .extracting(ClusterReport.Partition::partition)
                .containsExactly(0, 1, 2, 3, 4, 5);
        ClusterReport.Partition owned = report.partitions().get(3);
        assertThat(owned.owner()).isEqualTo(first.session());
        assertThat(owned.epoch()).isEqualTo(hold.epoch());
        assertThat(owned.changedAt()).isBetween(before, report.now());
        assertThat(report.partitions())
                .filteredOn(slot -> slot.partition() != 3)
                .extracting(ClusterReport.Partition::owner)
                .containsOnlyNulls();
    }

    @Test
    default void showsAHeartbeat() {
        PartitionScan clock = operator().events().partitions();
        RelayNode node = operator().events().relayNode("node");
        Instant joined = onlyNode().heartbeatAt();
        clock.awaitAfter(joined);

        node.view();

        assertThat(onlyNode().heartbeatAt()).isAfter(joined);
        assertThat(onlyNode().joinedAt()).isEqualTo(joined);
    }

    private ClusterReport.Node onlyNode() {
        List<ClusterReport.Node> nodes = operator().store().cluster().nodes();
        assertThat(nodes).hasSize(1);
        return nodes.get(0);
    }

    @Test
    default void showsANodeThatExpiredAndThatItsPartitionsHaveNoOwner() {
        RelayNode witness = operator().events().relayNode("a witness");
        RelayNode node = operator().events().relayNode("node");
        node.acquire(2);
        node.expire(witness);

        ClusterReport report = operator().store().cluster();

        assertThat(report.nodes()).hasSize(2);
        assertThat(report.nodes().get(1).member()).isEqualTo(node.member());
        assertThat(report.nodes().get(1).isAlive(report.now())).isFalse();
        assertThat(report.partitions().get(2).owner()).isNull();
    }

    @Test
    default void showsSinceWhenAPartitionHasNoOwner() {
        RelayNode node = operator().events().relayNode("node");
        PartitionOwnership hold = node.acquire(2);
        Instant acquired = Objects.requireNonNull(
                operator().store().cluster().partitions().get(2).changedAt());
        operator().events().partitions().awaitAfter(acquired);
        node.release(hold);
        Instant released = operator().store().cluster().partitions().get(2).changedAt();
        assertThat(released).isAfter(acquired);

        node.acquire(2);
        operator().events().partitions().awaitAfter(operator().store().cluster().now());
        node.leave();
        assertThat(operator().store().cluster().partitions().get(2).changedAt()).isAfter(released);
    }

    @Test
    default void showsTheNumberOfPartitionsThatTheClusterChangesTo() {
        operator().events().relayNode("node").acquire(0);
        operator().fixture().clusterAdmin().changePartitions(9, "test");

        ClusterReport report = operator().store().cluster();

        assertThat(report.partitionsWanted()).isEqualTo(9);
        assertThat(report.partitions()).hasSize(6);
    }

    @Test
    default void relaysThatLeaseHaveNoPartitions() {
        ClusterLayout lease = new ClusterLayout(ClaimStrategy.LEASE, 6);
        new RelayNode(operator().fixture(), lease, "node").join();

        ClusterReport report = operator().store().cluster();

        assertThat(report.partitions()).isEmpty();
        assertThat(report.nodes()).hasSize(1);
        assertThat(report.terms()).isNotNull();
    }
}
