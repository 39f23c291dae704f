package outbox.mongodb.internal.operations;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.relay.ClusterSnapshot;
import outbox.mongodb.internal.relay.NodeDocuments;
import outbox.spi.operations.ClusterReport;
import outbox.spi.relay.ClusterLayout;

/** Reads the relays of a collection for operators, in one snapshot. */
record ClusterReportRead(MongoSource source) {

    private static final Comparator<ClusterReport.Node> BY_NAME = Comparator.comparing(
                    (ClusterReport.Node node) -> node.member().nodeId())
            .thenComparing(ClusterReport.Node::joinedAt)
            .thenComparing(node -> node.member().session());

    ClusterReport execute() {
        ClusterSnapshot cluster = ClusterSnapshot.read(source, List.of())
                .orElseThrow(
                        () -> new OutboxException("collection " + source.names().meta() + " has no document about "
                                + source.names().event() + "; install the schema"));
        List<ClusterReport.Node> nodes = cluster.nodes().stream()
                .map(NodeDocuments::node)
                .sorted(BY_NAME)
                .toList();
        Set<String> alive = nodes.stream()
                .filter(node -> node.isAlive(cluster.now()))
                .map(node -> node.member().session())
                .collect(Collectors.toSet());
        @Nullable ClusterLayout layout = cluster.meta().agreed().layout().orElse(null);
        List<ClusterReport.Partition> partitions = cluster.partitionsOf(layout).stream()
                .map(each -> new ClusterReport.Partition(
                        each.number(), each.epoch(), each.ownerAmong(alive), each.changedAt()))
                .toList();
        return new ClusterReport(cluster.now(), layout, cluster.meta().agreed().partitionsWanted(), nodes, partitions);
    }
}
