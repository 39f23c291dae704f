package catbox.mutations;

import static catbox.mutations.Mutation.edit;
import static catbox.mutations.Mutation.mutation;

import java.util.List;

/** Who owns which partition. */
final class ClusterMutations {

    private static final Catcher FEW = new Catcher.Seeds(Catcher.GATE_SEEDS_MAX);

    static final List<Mutation> ALL = List.of(
            mutation(
                    "lease by wall clock",
                    "a clock that is set back makes a node deliver what is another's",
                    FEW,
                    edit(
                            "outbox/relay/internal/node/Membership.java",
                            "long asked = time.nanoTime(); store.join(",
                            "long asked = time.instant().toEpochMilli() * 1_000_000; store.join("),
                    edit(
                            "outbox/relay/internal/node/Membership.java",
                            "long asked = time.nanoTime(); lease = current.atMost(",
                            "long asked = time.instant().toEpochMilli() * 1_000_000; lease = current.atMost("),
                    edit(
                            "outbox/relay/internal/node/Membership.java",
                            "&& time.nanoTime() - current.untilNanos() < 0",
                            "&& time.instant().toEpochMilli() * 1_000_000 - current.untilNanos() < 0"),
                    edit(
                            "outbox/relay/internal/node/Membership.java",
                            "&& time.nanoTime() - current.undisputedUntilNanos() < 0",
                            "")),
            mutation(
                    "lease never over",
                    "a node that stood still continues with what another node owns by now",
                    FEW,
                    edit(
                            "outbox/relay/internal/node/Membership.java",
                            "&& time.nanoTime() - current.untilNanos() < 0",
                            ""),
                    edit(
                            "outbox/relay/internal/node/Membership.java",
                            "&& time.nanoTime() - current.undisputedUntilNanos() < 0",
                            "")),
            mutation(
                    "released before drained",
                    "a planned move makes duplicates",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/DeliveryLoop.java",
                            "if (timeIsOver || (deliverer.isIdle() && settlements.isEmpty())) {",
                            "if (drainUntilNanos != 0) {")),
            mutation(
                    "forgotten partition kept",
                    "after a lost answer no node works on the partition, and none may take it",
                    FEW,
                    edit(
                            "outbox/relay/internal/node/PartitionAssignment.java",
                            "if (!forgotten.isEmpty()) {",
                            "if (forgotten.size() > 1_000) {")),
            mutation(
                    "lease without a margin",
                    "a node whose clock is a little slow believes in its lease when another has its partitions",
                    FEW,
                    edit(
                            "outbox/relay/internal/node/Membership.java",
                            "return config.timeout().minus(config.timeout().dividedBy(10));",
                            "return config.timeout();")),
            mutation(
                    "disconnected means dead, missing or not",
                    "a node that lost its connection and is about to have another is ended",
                    disconnections("aMemberThatHasNotMissedItsHeartbeatsMayConnectAnew"),
                    edit("outbox/relay/internal/node/Disconnections.java", "&& state.isMissing()", "")),
            mutation(
                    "disconnected means dead, by any evidence",
                    "what cut off all nodes lets the first that is back end the others",
                    disconnections("aNodeWhoseOwnHeartbeatsHadAGapKnowsNothingOfTheOthers"),
                    edit(
                            "outbox/relay/internal/node/Disconnections.java",
                            "&& answeringFor.compareTo(state.patience()) >= 0",
                            "&& !answeringFor.isNegative()")),
            mutation(
                    "disconnected means dead at first sight",
                    "a node that connects anew between two heartbeats of another is ended",
                    disconnections("aMemberThatIsSilentLongEnoughIsConfirmedAtTheSecondSighting"),
                    edit(
                            "outbox/relay/internal/node/Disconnections.java",
                            "if (seenBefore.contains(member.session())",
                            "if (seen.contains(member.session())")),
            mutation(
                    "ended whatever it has written since",
                    "a node that has sent a heartbeat on another connection is ended all the same",
                    new Catcher.Test(
                            "stores/jdbc",
                            "outbox.jdbc.PostgresConnectionEvidenceIT",
                            "aMemberThatDiesIsEndedLongBeforeItsTimeout"),
                    edit(
                            "outbox/jdbc/internal/relay/NodeRows.java",
                            "heartbeat_at <= \" + dialect.nowPlus(\"?\")",
                            "0 >= \" + \"?\"")),
            mutation(
                    "partitions for a node that is not ready",
                    "a partition moves to a node that has yet to connect to its destinations",
                    new Catcher.Test("relay", "outbox.relay.RelayClusterTest", "movesNothingToANodeThatIsNotReady"),
                    edit("outbox/relay/internal/node/PartitionPlan.java", "&& view.state(member).ready()", "")));

    private ClusterMutations() {}

    private static Catcher disconnections(String method) {
        return new Catcher.Test("relay", "outbox.relay.internal.node.DisconnectionsTest", method);
    }
}
