package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

/** The relays and what is on hold, of one moment, with the answers that several views need. */
record ClusterPicture(ClusterReport report, List<Pause> holds) {

    static ClusterPicture of(AdminStores stores) {
        return new ClusterPicture(stores.events().cluster(), stores.cluster().pauses());
    }

    Instant now() {
        return report.now();
    }

    Optional<Pause> hold(Pause.Kind kind, String name) {
        Pause.Subject subject = new Pause.Subject(kind, name);
        return holds.stream().filter(hold -> hold.subject().equals(subject)).findFirst();
    }

    boolean isDrained(ClusterReport.Node node) {
        return hold(Pause.Kind.NODE, node.member().nodeId()).isPresent();
    }

    // ---- nodes ---------------------------------------------------------------------------------------------------

    List<ClusterReport.Node> alive() {
        return report.nodes().stream().filter(node -> node.isAlive(now())).toList();
    }

    /** Those that may deliver; the weight is about slots, and means nothing where there are none. */
    List<ClusterReport.Node> able() {
        return alive().stream()
                .filter(node -> (node.member().weight() > 0 || !hasPartitions()) && !isDrained(node))
                .toList();
    }

    Duration heartbeatAge(ClusterReport.Node node) {
        return Duration.between(node.heartbeatAt(), now());
    }

    /** Whether it is missing, or more than half of the time is over after which others take its partitions. */
    boolean isLate(ClusterReport.Node node) {
        Duration allowed = Duration.between(node.heartbeatAt(), node.expiresAt());
        return node.isMissing(now())
                || (node.isAlive(now()) && heartbeatAge(node).multipliedBy(2).compareTo(allowed) > 0);
    }

    List<NodeView> nodes() {
        List<NodeView> views = new ArrayList<>();
        for (ClusterReport.Node node : report.nodes()) {
            Member member = node.member();
            views.add(new NodeView(
                    member.nodeId(),
                    member.session(),
                    node.isAlive(now()),
                    isDrained(node),
                    member.weight(),
                    member.version(),
                    member.address(),
                    node.joinedAt(),
                    heartbeatAge(node),
                    partitionsOf(member)));
        }
        return List.copyOf(views);
    }

    private List<Integer> partitionsOf(Member member) {
        return report.partitions().stream()
                .filter(slot -> member.session().equals(slot.owner()))
                .map(ClusterReport.Partition::partition)
                .toList();
    }

    // ---- partitions ----------------------------------------------------------------------------------------------

    List<PartitionView> partitions() {
        List<PartitionView> views = new ArrayList<>();
        for (ClusterReport.Partition slot : report.partitions()) {
            String owner =
                    owner(slot.partition()).map(node -> node.member().nodeId()).orElse(null);
            boolean onHold = hold(Pause.Kind.PARTITION, Integer.toString(slot.partition()))
                    .isPresent();
            views.add(new PartitionView(
                    slot.partition(), owner, slot.epoch(), owner == null ? null : slot.changedAt(), onHold));
        }
        return List.copyOf(views);
    }

    List<Integer> partitionsWithoutOwner() {
        return report.partitions().stream()
                .filter(slot -> slot.owner() == null)
                .map(ClusterReport.Partition::partition)
                .toList();
    }

    /** Whether the events of a key go one after the other; not where relays claim by lease. */
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
                .filter(slot -> partition != null && slot.partition() == partition)
                .flatMap(slot -> report.nodes().stream()
                        .filter(node -> node.member().session().equals(slot.owner())))
                .findFirst();
    }
}
