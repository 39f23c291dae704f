package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.NodeView;
import outbox.admin.view.PartitionView;
import outbox.internal.KeyHash;
import outbox.spi.operations.ClusterReport;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Member;
import outbox.spi.relay.Pause;

/** The nodes, partitions and pauses at one moment, with what several views derive from them. */
record ClusterPicture(ClusterReport report, List<Pause> pauses) {

    static ClusterPicture of(AdminStores stores) {
        return new ClusterPicture(stores.events().cluster(), stores.cluster().pauses());
    }

    Instant now() {
        return report.now();
    }

    Optional<Pause> pause(Pause.Kind kind, String name) {
        Pause.Subject subject = new Pause.Subject(kind, name);
        return pauses.stream().filter(pause -> pause.subject().equals(subject)).findFirst();
    }

    boolean isDrained(ClusterReport.Node node) {
        return pause(Pause.Kind.NODE, node.member().nodeId()).isPresent();
    }

    // ---- nodes ---------------------------------------------------------------------------------------------------

    List<ClusterReport.Node> alive() {
        return report.nodes().stream().filter(node -> node.isAlive(now())).toList();
    }

    /** Those that may deliver. A weight is about partitions, and means nothing where there are none. */
    List<ClusterReport.Node> able() {
        return alive().stream()
                .filter(node -> (node.member().weight() > 0 || !hasPartitions()) && !isDrained(node))
                .toList();
    }

    static String names(List<ClusterReport.Node> nodes) {
        return String.join(
                ", ", nodes.stream().map(node -> node.member().nodeId()).toList());
    }

    Duration heartbeatAge(ClusterReport.Node node) {
        return Duration.between(node.heartbeatAt(), now());
    }

    /** Whether it is missing, or has used more than half of the time after which others take its partitions. */
    boolean isLate(ClusterReport.Node node) {
        Duration allowed = Duration.between(node.heartbeatAt(), node.expiresAt());
        return node.isMissing(now())
                || (node.isAlive(now()) && heartbeatAge(node).multipliedBy(2).compareTo(allowed) > 0);
    }

    List<NodeView> nodes() {
        return report.nodes().stream().map(this::view).toList();
    }

    private NodeView view(ClusterReport.Node node) {
        Member member = node.member();
        return new NodeView(
                member.nodeId(),
                member.session(),
                node.isAlive(now()),
                isDrained(node),
                member.weight(),
                member.version(),
                member.address(),
                node.joinedAt(),
                heartbeatAge(node),
                partitionsOf(member));
    }

    private List<Integer> partitionsOf(Member member) {
        return report.partitions().stream()
                .filter(partition -> member.session().equals(partition.owner()))
                .map(ClusterReport.Partition::partition)
                .toList();
    }

    // ---- partitions ----------------------------------------------------------------------------------------------

    List<PartitionView> partitions() {
        return report.partitions().stream().map(this::view).toList();
    }

    private PartitionView view(ClusterReport.Partition partition) {
        String owner =
                owner(partition.partition()).map(node -> node.member().nodeId()).orElse(null);
        boolean paused = pause(Pause.Kind.PARTITION, Integer.toString(partition.partition()))
                .isPresent();
        return new PartitionView(
                partition.partition(), owner, partition.epoch(), owner == null ? null : partition.changedAt(), paused);
    }

    List<Integer> partitionsWithoutOwner() {
        return report.partitions().stream()
                .filter(partition -> partition.owner() == null)
                .map(ClusterReport.Partition::partition)
                .toList();
    }

    /** Whether the events of a key are delivered one after the other; not where relays claim by lease. */
    boolean keepsOrder() {
        ClusterLayout terms = report.terms();
        return terms == null || terms.strategy().usesPartitions();
    }

    boolean hasPartitions() {
        ClusterLayout terms = report.terms();
        return terms != null && terms.strategy().usesPartitions();
    }

    /** The partition of a key, or of an event without one by its id; null where there are no partitions. */
    @Nullable
    Integer partitionOf(String keyOrEventId) {
        ClusterLayout terms = report.terms();
        return terms != null && hasPartitions() ? terms.partitionOf(KeyHash.of(keyOrEventId)) : null;
    }

    Optional<ClusterReport.Node> owner(@Nullable Integer partition) {
        return report.partitions().stream()
                .filter(each -> partition != null && each.partition() == partition)
                .flatMap(each -> report.nodes().stream()
                        .filter(node -> node.member().session().equals(each.owner())))
                .findFirst();
    }
}
