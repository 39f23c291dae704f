package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.ClusterReport;
import outbox.spi.operations.Finding;
import outbox.spi.operations.FindingCode;
import outbox.spi.operations.OperatorStore;
import outbox.spi.relay.Member;
import outbox.spi.relay.Pause;

/**
 * Finds what is wrong with nodes, partitions and pauses.
 *
 * @param found takes what is found
 */
record ClusterFindings(ClusterPicture picture, OperatorStore store, List<Finding> found) {

    static final Duration PAUSED_LONG = Duration.ofDays(1);

    private static final int AUDIT_MAX = 20;

    void find() {
        if (picture.report().terms() != null) {
            noNode();
            picture.report().nodes().forEach(this::heartbeat);
            versions();
        }
        partitions();
        picture.pauses().forEach(this::paused);
    }

    // ---- nodes ---------------------------------------------------------------------------------------------------

    private void noNode() {
        if (picture.alive().isEmpty()) {
            found.add(Finding.error(
                    FindingCode.NO_NODE,
                    "No relay is alive",
                    picture.report().nodes().isEmpty() ? "no node is registered" : "every registered node has expired",
                    "Start a relay. The log of the last one says why it stopped."));
        } else if (picture.able().isEmpty()) {
            found.add(Finding.error(
                    FindingCode.ALL_DRAINED,
                    "Every live node is drained or has weight 0",
                    "live nodes: " + ClusterPicture.names(picture.alive()),
                    "Resume one of them."));
        }
    }

    private void heartbeat(ClusterReport.Node node) {
        String last = "the last heartbeat of node " + node.member().nodeId() + " was at "
                + Phrases.at(node.heartbeatAt(), picture.now());
        if (picture.isLate(node)) {
            found.add(Finding.warning(
                    FindingCode.HEARTBEAT_LATE,
                    "A node's heartbeats are late",
                    last + ", and it expires at " + Phrases.at(node.expiresAt(), picture.now()),
                    "Check for long pauses of the process, a full connection pool, or a slow database."));
        } else if (!node.isAlive(picture.now())) {
            found.add(Finding.advice(
                    FindingCode.NODE_EXPIRED,
                    "A node has expired without leaving",
                    last,
                    "If it was not stopped on purpose, see its log. Other nodes have taken over its partitions."));
        }
    }

    private void versions() {
        Map<String, List<String>> nodes = picture.alive().stream()
                .map(ClusterReport.Node::member)
                .collect(Collectors.groupingBy(
                        Member::version, TreeMap::new, Collectors.mapping(Member::nodeId, Collectors.toList())));
        if (nodes.size() > 1) {
            found.add(Finding.advice(
                    FindingCode.VERSIONS_DIFFER,
                    "Nodes run different versions",
                    nodes.entrySet().stream()
                            .map(each -> (each.getKey().isEmpty() ? "no version" : "version " + each.getKey()) + " on "
                                    + String.join(", ", each.getValue()))
                            .collect(Collectors.joining("; ")),
                    "This is fine during an upgrade; finish the upgrade."));
        }
    }

    // ---- partitions ----------------------------------------------------------------------------------------------

    private void partitions() {
        Integer wanted = picture.report().partitionsWanted();
        if (wanted != null) {
            found.add(Finding.warning(
                    FindingCode.PARTITIONS_CHANGING,
                    "The number of partitions is being changed",
                    "to " + wanted + "; nothing is delivered until every node has handed over its partitions",
                    "This takes seconds. If it lasts, a node sends no heartbeats or is configured with another number:"
                            + " see the nodes."));
            return;
        }
        List<Integer> ownerless = picture.able().isEmpty() ? List.of() : ownerlessForLong();
        if (!ownerless.isEmpty()) {
            found.add(Finding.error(
                    FindingCode.PARTITION_WITHOUT_OWNER,
                    "Partitions have no owner",
                    "partitions " + ownerless + " of "
                            + picture.report().partitions().size() + ", for longer than "
                            + Phrases.lasting(ownerlessMax()),
                    "A live node takes them within seconds. If none does, the nodes' logs say why."));
        }
    }

    /**
     * Those without an owner for longer than a node may go without heartbeats, while no node joined, left or was resumed:
     * in ordinary operation partitions change owners within seconds.
     */
    private List<Integer> ownerlessForLong() {
        Instant limit = picture.now().minus(ownerlessMax());
        boolean settled = Stream.of(
                        picture.able().stream().map(ClusterReport.Node::joinedAt),
                        picture.report().nodes().stream()
                                .filter(node -> !node.isAlive(picture.now()))
                                .map(ClusterReport.Node::expiresAt),
                        store.audit(new AuditQuery(null, AUDIT_MAX)).stream()
                                .filter(entry -> entry.action().equals("resume"))
                                .map(AuditEntry::at))
                .flatMap(times -> times)
                .allMatch(time -> time.isBefore(limit));
        return picture.report().partitions().stream()
                .filter(partition -> settled && partition.owner() == null && isBefore(partition.changedAt(), limit))
                .map(ClusterReport.Partition::partition)
                .toList();
    }

    private static boolean isBefore(@Nullable Instant changed, Instant limit) {
        return changed == null || changed.isBefore(limit);
    }

    private Duration ownerlessMax() {
        return picture.able().stream()
                .map(node -> Duration.between(node.heartbeatAt(), node.expiresAt()))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    // ---- pauses --------------------------------------------------------------------------------------------------

    private void paused(Pause pause) {
        if (pause.subject().kind() == Pause.Kind.SOURCE) {
            found.add(Finding.warning(
                    FindingCode.SOURCE_ON_HOLD,
                    "Nothing is delivered: the source is paused",
                    PauseText.sentence(pause),
                    "Resume the source when the reason no longer applies."));
        } else if (Duration.between(pause.since(), picture.now()).compareTo(PAUSED_LONG) > 0) {
            found.add(Finding.advice(
                    FindingCode.HELD_FOR_LONG,
                    "Something has been paused for long",
                    PauseText.sentence(pause),
                    "Ask " + pause.by() + " whether the reason still applies, and resume it if not."));
        }
    }
}
