package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import outbox.model.BoundedCount;
import outbox.model.ClusterReport;
import outbox.model.EventFilter;
import outbox.model.EventFilter.State;
import outbox.model.EventQuery;
import outbox.model.EventSummary;
import outbox.model.Finding;
import outbox.model.Finding.Severity;
import outbox.model.Hold;
import outbox.model.OutboxStatistics;

/** What is wrong: what the store finds about itself, and what can be told from events, nodes and holds. */
final class Doctoring {

    static final Duration OLD = Duration.ofMinutes(5);
    static final Duration VERY_OLD = Duration.ofMinutes(30);
    static final Duration STUCK = Duration.ofMinutes(10);
    static final Duration HELD_LONG = Duration.ofDays(1);
    static final Duration DYING_WITHIN = Duration.ofMinutes(10);
    static final int DYING_MIN = 10;

    private final AdminStores stores;
    private final List<Finding> findings = new ArrayList<>();

    private Doctoring(AdminStores stores) {
        this.stores = stores;
    }

    /** The worst first. */
    static List<Finding> of(AdminStores stores) {
        Doctoring doctoring = new Doctoring(stores);
        doctoring.findings.addAll(stores.diagnosis().findings());
        boolean reachable = doctoring.findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
        try {
            doctoring.look();
        } catch (RuntimeException e) {
            // The store has said so itself, most likely, and better; a doctor who fails helps nobody.
            if (reachable) {
                doctoring.add(
                        "not-readable",
                        Severity.ERROR,
                        "The outbox cannot be read",
                        String.valueOf(e.getMessage()),
                        "See whether the database is up, and whether its tables are of this version.");
            }
        }
        return doctoring.findings.stream()
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }

    private void look() {
        ClusterPicture picture = ClusterPicture.of(stores);
        OutboxStatistics statistics = stores.statistics().statistics(1_000);
        lookAtPending(statistics, picture);
        lookAtRetries(picture);
        lookAtDead(statistics.dead(), picture);
        lookAtNodes(picture);
        lookAtPartitions(picture);
        lookAtHolds(picture);
    }

    private void add(String code, Severity severity, String title, String evidence, String advice) {
        findings.add(new Finding(code, severity, title, evidence, advice));
    }

    // ---- events --------------------------------------------------------------------------------------------------

    private void lookAtPending(OutboxStatistics statistics, ClusterPicture picture) {
        Duration age = statistics.oldestPendingAge();
        if (age != null && age.compareTo(OLD) > 0) {
            add(
                    "oldest-pending",
                    age.compareTo(VERY_OLD) > 0 ? Severity.ERROR : Severity.WARNING,
                    "Events wait for too long",
                    "the oldest of " + statistics.pending() + " pending events waits for " + Words.lasting(age),
                    "List the pending events: the first has waited longest. Its page says what it waits for.");
        }
        if (statistics.pending().counted() > 0 && picture.report().terms() == null) {
            add(
                    "never-relayed",
                    Severity.WARNING,
                    "No relay has ever worked on this table",
                    statistics.pending() + " pending events, and nobody has agreed on how the table is worked",
                    "Start a relay, unless the applications deliver by themselves.");
        }
    }

    private void lookAtRetries(ClusterPicture picture) {
        EventFilter retries = EventFilter.ALL.withState(State.RETRY);
        for (EventSummary event :
                stores.events().events(new EventQuery(retries, null, 1)).events()) {
            Instant since = event.state().createdAt();
            if (Duration.between(since, picture.now()).compareTo(STUCK) > 0) {
                String key = event.key();
                add(
                        "key-stuck",
                        Severity.WARNING,
                        key == null ? "An event fails again and again" : "A key is stuck behind an event that fails",
                        "event " + event.eventId() + (key == null ? "" : " of key " + key) + " was stored at "
                                + Words.at(since, picture.now()) + " and has failed "
                                + Words.times(event.state().attempts()) + ", last with: "
                                + Words.error(event.state().lastError()),
                        "Repair what the error says. What waits behind it"
                                + (key == null ? "" : " is on the page of key " + key)
                                + "; if it can never succeed, let it die by its number of attempts and discard it.");
            }
        }
    }

    private void lookAtDead(BoundedCount dead, ClusterPicture picture) {
        if (dead.counted() == 0) {
            return;
        }
        add(
                "dead-events",
                Severity.WARNING,
                "Events have been given up",
                dead + " dead events",
                "See why they died, grouped by error. Repair the cause, then replay or discard them.");
        EventFilter filter = EventFilter.ALL.withState(State.DEAD);
        List<EventSummary> latest =
                stores.events().events(new EventQuery(filter, null, 100)).events();
        long recent = latest.stream()
                .filter(event -> diedLately(event, picture.now()))
                .count();
        if (recent >= DYING_MIN) {
            add(
                    "events-dying",
                    Severity.ERROR,
                    "Events are dying now",
                    recent + " of the latest " + latest.size() + " dead events died within the last "
                            + Words.lasting(DYING_WITHIN) + ", the latest with: "
                            + Words.error(latest.get(0).state().lastError()),
                    "Put the destination or route on hold until the cause is repaired: what waits does not die.");
        }
    }

    private static boolean diedLately(EventSummary event, Instant now) {
        Instant last = event.state().lastAttemptAt();
        return last != null && last.isAfter(now.minus(DYING_WITHIN));
    }

    // ---- the cluster ---------------------------------------------------------------------------------------------

    private void lookAtNodes(ClusterPicture picture) {
        if (picture.report().terms() == null) {
            return;
        }
        if (picture.alive().isEmpty()) {
            add(
                    "no-node",
                    Severity.ERROR,
                    "No relay is alive",
                    picture.report().nodes().isEmpty()
                            ? "no node is registered"
                            : "every node that is registered has expired",
                    "Start a relay. The log of the last one says why it stopped.");
        } else if (picture.able().isEmpty()) {
            add(
                    "all-drained",
                    Severity.ERROR,
                    "Every live node is drained or has weight 0",
                    "live nodes: " + names(picture.alive()),
                    "Resume one of them.");
        }
        for (ClusterReport.Node node : picture.report().nodes()) {
            String heard = "node " + node.member().nodeId() + " was last heard of at "
                    + Words.at(node.heartbeatAt(), picture.now());
            if (picture.isLate(node)) {
                add(
                        "heartbeat-late",
                        Severity.WARNING,
                        "A node's heartbeats are late",
                        heard + " and expires at " + Words.at(node.expiresAt(), picture.now()),
                        "Look for long pauses of the process, a full connection pool, or a slow database.");
            } else if (!node.isAlive(picture.now())) {
                add(
                        "node-expired",
                        Severity.ADVICE,
                        "A node has gone without saying so",
                        heard,
                        "If it was not stopped on purpose, see its log. Others have taken its partitions over.");
            }
        }
        TreeSet<String> versions = new TreeSet<>();
        picture.alive().forEach(node -> versions.add(node.member().version()));
        if (versions.size() > 1) {
            add(
                    "versions-differ",
                    Severity.ADVICE,
                    "Nodes run different versions",
                    "versions " + String.join(", ", versions),
                    "Fine during an upgrade; finish it.");
        }
    }

    private static String names(List<ClusterReport.Node> nodes) {
        return String.join(
                ", ", nodes.stream().map(node -> node.member().nodeId()).toList());
    }

    private void lookAtPartitions(ClusterPicture picture) {
        Integer wanted = picture.report().partitionsWanted();
        List<Integer> free = picture.partitionsWithoutOwner();
        if (wanted != null) {
            add(
                    "partitions-changing",
                    Severity.WARNING,
                    "The number of partitions is being changed",
                    "to " + wanted + ", and nothing is delivered until every node has handed over",
                    "It takes seconds. If it lasts, a node is silent or runs with another number: see the nodes.");
        } else if (!free.isEmpty() && !picture.able().isEmpty()) {
            add(
                    "partition-without-owner",
                    Severity.ERROR,
                    "Partitions have no owner",
                    "partitions " + free + " of " + picture.report().slots().size(),
                    "A live node takes them within seconds. If it does not, its log says why.");
        }
    }

    private void lookAtHolds(ClusterPicture picture) {
        for (Hold hold : picture.holds()) {
            Duration held = Duration.between(hold.since(), picture.now());
            if (hold.subject().kind() == Hold.Kind.SOURCE) {
                add(
                        "source-on-hold",
                        Severity.WARNING,
                        "Nothing is delivered: the source is on hold",
                        HoldWords.sentence(hold),
                        "Resume the source when the reason is gone.");
            } else if (held.compareTo(HELD_LONG) > 0) {
                add(
                        "held-for-long",
                        Severity.ADVICE,
                        "Something has been on hold for long",
                        HoldWords.sentence(hold),
                        "Ask " + hold.by() + " whether the reason still holds, and resume it if not.");
            }
        }
    }
}
