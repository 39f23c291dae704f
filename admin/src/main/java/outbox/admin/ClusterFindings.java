package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/** What is wrong with relays, partitions and holds. */
record ClusterFindings(ClusterPicture picture, OperatorStore store) {

    static final Duration HELD_LONG = Duration.ofDays(1);

    private static final int ACTS_MAX = 20;

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        if (picture.report().terms() != null) {
            nobodyWorks().ifPresent(findings::add);
            picture.report().nodes().forEach(node -> heard(node).ifPresent(findings::add));
            versions().ifPresent(findings::add);
        }
        partitions().ifPresent(findings::add);
        picture.holds().forEach(hold -> held(hold).ifPresent(findings::add));
        return findings;
    }

    // ---- nodes ---------------------------------------------------------------------------------------------------

    private Optional<Finding> nobodyWorks() {
        if (picture.alive().isEmpty()) {
            return Optional.of(Finding.error(
                    FindingCode.NO_NODE,
                    "No relay is alive",
                    picture.report().nodes().isEmpty()
                            ? "no node is registered"
                            : "every node that is registered has expired",
                    "Start a relay. The log of the last one says why it stopped."));
        }
        return picture.able().isEmpty()
                ? Optional.of(Finding.error(
                        FindingCode.ALL_DRAINED,
                        "Every live node is drained or has weight 0",
                        "live nodes: " + names(picture.alive()),
                        "Resume one of them."))
                : Optional.empty();
    }

    private static String names(List<ClusterReport.Node> nodes) {
        return String.join(
                ", ", nodes.stream().map(node -> node.member().nodeId()).toList());
    }

    private Optional<Finding> heard(ClusterReport.Node node) {
        String heard = "node " + node.member().nodeId() + " was last heard of at "
                + Phrases.at(node.heartbeatAt(), picture.now());
        if (picture.isLate(node)) {
            return Optional.of(Finding.warning(
                    FindingCode.HEARTBEAT_LATE,
                    "A node's heartbeats are late",
                    heard + " and expires at " + Phrases.at(node.expiresAt(), picture.now()),
                    "Look for long pauses of the process, a full connection pool, or a slow database."));
        }
        return node.isAlive(picture.now())
                ? Optional.empty()
                : Optional.of(Finding.advice(
                        FindingCode.NODE_EXPIRED,
                        "A node has gone without saying so",
                        heard,
                        "If it was not stopped on purpose, see its log. Others have taken its partitions over."));
    }

    private Optional<Finding> versions() {
        Map<String, List<String>> nodes = picture.alive().stream()
                .map(ClusterReport.Node::member)
                .collect(Collectors.groupingBy(
                        Member::version, TreeMap::new, Collectors.mapping(Member::nodeId, Collectors.toList())));
        return nodes.size() <= 1
                ? Optional.empty()
                : Optional.of(Finding.advice(
                        FindingCode.VERSIONS_DIFFER,
                        "Nodes run different versions",
                        nodes.entrySet().stream()
                                .map(each -> (each.getKey().isEmpty() ? "no version" : "version " + each.getKey())
                                        + " on " + String.join(", ", each.getValue()))
                                .collect(Collectors.joining("; ")),
                        "Fine during an upgrade; finish it."));
    }

    // ---- partitions ----------------------------------------------------------------------------------------------

    private Optional<Finding> partitions() {
        Integer wanted = picture.report().partitionsWanted();
        if (wanted != null) {
            return Optional.of(Finding.warning(
                    FindingCode.PARTITIONS_CHANGING,
                    "The number of partitions is being changed",
                    "to " + wanted + ", and nothing is delivered until every node has handed over",
                    "It takes seconds. If it lasts, a node is silent or runs with another number: see the nodes."));
        }
        List<Integer> ownerless = picture.able().isEmpty() ? List.of() : ownerlessForLong();
        return ownerless.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.error(
                        FindingCode.PARTITION_WITHOUT_OWNER,
                        "Partitions have no owner",
                        "partitions " + ownerless + " of "
                                + picture.report().partitions().size() + ", for longer than "
                                + Phrases.lasting(patience()),
                        "A live node takes them within seconds. If it does not, its log says why."));
    }

    /**
     * Those that had no owner for as long as a silent node is waited for, with nobody coming, going or being resumed in
     * that time: partitions change hands in an ordinary way within seconds.
     */
    private List<Integer> ownerlessForLong() {
        Instant limit = picture.now().minus(patience());
        boolean settled = Stream.of(
                        picture.able().stream().map(ClusterReport.Node::joinedAt),
                        picture.report().nodes().stream()
                                .filter(node -> !node.isAlive(picture.now()))
                                .map(ClusterReport.Node::expiresAt),
                        store.audit(new AuditQuery(null, ACTS_MAX)).stream()
                                .filter(entry -> entry.action().equals("resume"))
                                .map(AuditEntry::at))
                .flatMap(times -> times)
                .allMatch(time -> time.isBefore(limit));
        return picture.report().partitions().stream()
                .filter(slot -> settled && slot.owner() == null && isBefore(slot.changedAt(), limit))
                .map(ClusterReport.Partition::partition)
                .toList();
    }

    private static boolean isBefore(@Nullable Instant changed, Instant limit) {
        return changed == null || changed.isBefore(limit);
    }

    private Duration patience() {
        return picture.able().stream()
                .map(node -> Duration.between(node.heartbeatAt(), node.expiresAt()))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    // ---- holds ---------------------------------------------------------------------------------------------------

    private Optional<Finding> held(Pause hold) {
        if (hold.subject().kind() == Pause.Kind.SOURCE) {
            return Optional.of(Finding.warning(
                    FindingCode.SOURCE_ON_HOLD,
                    "Nothing is delivered: the source is on hold",
                    PauseText.sentence(hold),
                    "Resume the source when the reason is gone."));
        }
        return Duration.between(hold.since(), picture.now()).compareTo(HELD_LONG) <= 0
                ? Optional.empty()
                : Optional.of(Finding.advice(
                        FindingCode.HELD_FOR_LONG,
                        "Something has been on hold for long",
                        PauseText.sentence(hold),
                        "Ask " + hold.by() + " whether the reason still holds, and resume it if not."));
    }
}
