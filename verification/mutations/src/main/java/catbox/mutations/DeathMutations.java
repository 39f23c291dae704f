package catbox.mutations;

import static catbox.mutations.Mutation.edit;
import static catbox.mutations.Mutation.mutation;
import static catbox.mutations.Mutation.recompiled;

import java.util.List;

/** Events that end the process which delivers them, and events that were only next to one. */
final class DeathMutations {

    private static final Catcher FEW = new Catcher.Seeds(Catcher.GATE_SEEDS_MAX);

    static final List<Mutation> ALL = List.of(
            mutation(
                    "deaths of owners are ignored",
                    "an event that ends its process is delivered forever",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/Suspects.java",
                            "return endangered && past.deaths() >= WATCH_FROM;",
                            "return false;")),
            mutation(
                    "a death is not counted",
                    "an event that ends its process is delivered forever",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/OutcomeHandler.java",
                            "return rule.afterDeaths(event.event().deaths()).isPresent();",
                            "return false;")),
            mutation(
                    "suspects are tried together",
                    "an innocent event is counted with each death that another causes",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/SuspectLock.java",
                            "if (held) {",
                            "if (held && waiting.size() > 1_000) {")),
            mutation(
                    "an answer leaves its mark",
                    "an event that was answered is counted when its node is killed for another reason",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/Suspects.java",
                            "answered.add(event.event().eventId());",
                            "marked.remove(event.event().eventId());")),
            mutation(
                    "deaths of owners are never forgotten",
                    "nodes that were killed years apart make the next owner careful",
                    test("relay", "outbox.relay.RelayPoisonTest", "deathsFarApartAreNotInARow"),
                    edit("outbox/relay/internal/loop/Suspects.java", "past.outlived().run();", "")),
            mutation(
                    "deaths of owners are forgotten while a slow event is in flight",
                    "an event that takes long to end its process is delivered forever",
                    test(
                            "relay",
                            "outbox.relay.RelayPoisonTest",
                            "anEventThatEndsEveryNodeSlowlyIsDeadAtTheLimitHoweverManyOthersAreAnsweredMeanwhile"),
                    edit(
                            "outbox/relay/internal/loop/Suspects.java",
                            "answersLeft <= 0 && unanswered.isEmpty()",
                            "answersLeft <= 0")),
            mutation(
                    "deaths of owners are forgotten when a partition is released",
                    "a node whose acquisition was not answered forgets what its predecessors died of",
                    test(
                            "stores/jdbc",
                            "outbox.jdbc.H2StoreTest",
                            "anOwnerThatReleasesItsPartitionBeforeItOutlivedTheOthersEndsNoRow"),
                    edit(
                            "outbox/jdbc/internal/relay/OwnershipRows.java",
                            "CASE WHEN owner IS NULL THEN deaths",
                            "CASE WHEN owner IS NULL THEN 0"),
                    edit(
                            "outbox/jdbc/internal/relay/OwnershipRows.java",
                            "owner == null ? deaths",
                            "owner == null ? 0")),
            mutation(
                    "an expired claim is no evidence",
                    "an event that ends its process is claimed forever",
                    test("stores/jdbc", "outbox.jdbc.H2StoreTest", "countsADeathWhenAnExpiredClaimIsTaken"),
                    edit(
                            "outbox/jdbc/internal/event/EventSql.java",
                            "ELSE COALESCE(deaths, 0) + 1 END, \"",
                            "ELSE deaths END, \""),
                    recompiled("outbox/jdbc/internal/event/ThreeStepClaim.java")),
            mutation(
                    "suspects are claimed with the others",
                    "an innocent event is counted with each death that another causes",
                    test("stores/jdbc", "outbox.jdbc.H2StoreTest", "givesSuspectsOneAtATimeAndApartFromAllOthers"),
                    edit(
                            "outbox/jdbc/internal/event/EventSql.java",
                            "return (skipsRecent(request) ? due + notRecent : due) + suspicion(request.suspects());",
                            "return skipsRecent(request) ? due + notRecent : due;"),
                    edit(
                            "outbox/jdbc/internal/event/ThreeStepClaim.java",
                            "+ EventSql.suspicion(request.suspects())",
                            "")),
            mutation(
                    "marks without a fence",
                    "a node that lost its partition strikes out what the next owner has written down",
                    test("stores/jdbc", "outbox.jdbc.H2StoreTest", "marksNothingForANodeThatDoesNotOwnThePartition"),
                    edit(
                            "outbox/jdbc/internal/relay/JdbcPartitionStore.java",
                            "if (!new OwnershipRows(dialect, tables).share(conn, ownership)) {",
                            "if (begun.size() > 1_000) {")));

    private DeathMutations() {}

    private static Catcher test(String module, String type, String method) {
        return new Catcher.Test(module, type, method);
    }
}
