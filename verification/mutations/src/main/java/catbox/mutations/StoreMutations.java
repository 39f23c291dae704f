package catbox.mutations;

import static catbox.mutations.Mutation.edit;
import static catbox.mutations.Mutation.mutation;
import static catbox.mutations.Mutation.recompiled;

import java.util.List;

/** The stores, in memory and on real databases. */
final class StoreMutations {

    private static final String JDBC = "stores/jdbc";
    private static final Catcher FEW = new Catcher.Seeds(Catcher.GATE_SEEDS_MAX);

    static final List<Mutation> ALL = List.of(
            mutation(
                    "no epoch check",
                    "a node that lost its partition would overwrite what the new owner has done",
                    FEW,
                    edit(
                            "outbox/testkit/FencedSettle.java",
                            "&& !registry.isOwned(partition.ownership())",
                            "&& partition.ownership().partition() < 0")),
            mutation(
                    "epoch checked without lock",
                    "a takeover between the check and the write goes unnoticed",
                    FEW,
                    edit(
                            "outbox/testkit/FencedSettle.java",
                            "List<SettleResult.Item> results = new ArrayList<>();",
                            "catbox.simulation.Interleaving.point(); List<SettleResult.Item> results = new ArrayList<>();")),
            mutation(
                    "epoch not raised",
                    "the former owner is not fenced",
                    FEW,
                    edit(
                            "outbox/testkit/Registry.java",
                            "return new Partition(epoch + 1, session, now,",
                            "return new Partition(Math.max(1, epoch), session, now,")),
            mutation(
                    "repartitioned while owned",
                    "keys change their partition under the hands of its owner",
                    FEW,
                    edit(
                            "outbox/testkit/InMemoryCluster.java",
                            "if (wanted == null || !areAllFree()) {",
                            "if (wanted == null) {")),
            mutation(
                    "failure written twice",
                    "a lost answer costs an event two attempts",
                    FEW,
                    edit(
                            "outbox/testkit/FencedSettle.java",
                            "settlement instanceof Settlement.Done || row.state().attempts() == item.expectedAttempts()",
                            "row != null")),
            mutation(
                    "settlement does not name the replay",
                    "a settlement that is repeated after a lost reply undoes an operator's replay",
                    FEW,
                    edit(
                            "outbox/testkit/FencedSettle.java",
                            "claim.replays() == row.state().replays()",
                            "claim.replays() <= row.state().replays()")),
            mutation(
                    "settles what is settled",
                    "a dead event that was written twice, or a done one, changes once more",
                    FEW,
                    edit("outbox/testkit/FencedSettle.java", "return row.isPending() && isOurs(", "return isOurs(")),
            mutation(
                    "pause of a dead event not written",
                    "the next owner of the partition does not know of it",
                    FEW,
                    edit("outbox/testkit/FencedSettle.java", "pause(item.pausesKey(), row.id());", "")),
            mutation(
                    "page that bytes ended taken for whole",
                    "what did not fit is passed unseen",
                    FEW,
                    edit(
                            "outbox/testkit/InMemoryRelay.java",
                            "return page(request, events, false);",
                            "return page(request, events, events.size() < request.eventsMax());")),
            mutation(
                    "id of a note taken before its seq",
                    "a writer between the two has an id above the note and a seq below it: its row is passed unseen",
                    new Catcher.Test(
                            JDBC,
                            "outbox.jdbc.internal.relay.PostgresHorizonIT",
                            "theIdOfANoteIsGivenOutAfterItsSeqWasRead"),
                    edit(
                            "outbox/jdbc/internal/relay/PostgresHorizon.java",
                            "\"WITH given AS MATERIALIZED (SELECT \" + PostgresReads.NUMBERING",
                            "\"WITH taken AS MATERIALIZED (SELECT pg_current_xact_id()::text::bigint AS xid), given AS MATERIALIZED (SELECT taken.xid, \" + PostgresReads.NUMBERING"),
                    edit(
                            "outbox/jdbc/internal/relay/PostgresHorizon.java",
                            "sequence)\" + \" SELECT given.numbering, given.given, pg_current_xact_id()::text::bigint AS xid FROM",
                            "sequence, taken)\" + \" SELECT given.numbering, given.given, given.xid FROM"),
                    recompiled("outbox/jdbc/internal/relay/JdbcPartitionStore.java")),
            mutation(
                    "takeover reads liveness without the lock",
                    "a node whose heartbeat is in flight loses its partitions and does not know",
                    new Catcher.Test(
                            JDBC,
                            "outbox.jdbc.PostgresFencedSettleIT",
                            "aTakeoverThatMeetsABeatWaitsForItAndRespectsIt"),
                    edit(
                            "outbox/jdbc/internal/relay/NodeRows.java",
                            "return isAlive(conn, session, \" FOR UPDATE\");",
                            "return isAlive(conn, session);")),
            mutation(
                    "later epoch passes the fence of done events",
                    "a settlement of a former term of the same node is written in its present one",
                    new Catcher.Test(
                            JDBC, "outbox.jdbc.PostgresStoreIT", "changesNothingForANodeThatDoesNotOwnThePartition"),
                    edit("outbox/jdbc/internal/event/PostgresDoneSettle.java", "AND epoch = ?", "AND epoch >= ?")),
            mutation(
                    "done events settled whatever the epoch",
                    "a node that lost its partition settles what another owns",
                    new Catcher.Test(
                            JDBC, "outbox.jdbc.PostgresStoreIT", "changesNothingForANodeThatDoesNotOwnThePartition"),
                    edit(
                            "outbox/jdbc/internal/event/PostgresDoneSettle.java",
                            "AND epoch = ? AND owner = ? FOR SHARE",
                            "AND (epoch = ? OR owner <> ? OR owner IS NULL) FOR SHARE")),
            mutation(
                    "later epoch passes the fence of other settlements",
                    "a settlement of a former term of the same node is written in its present one",
                    new Catcher.Test(
                            JDBC, "outbox.jdbc.H2StoreTest", "changesNothingForANodeThatDoesNotOwnThePartition"),
                    edit(
                            "outbox/jdbc/internal/relay/OwnershipRows.java",
                            "AND epoch = ? AND owner = ? \"",
                            "AND epoch >= ? AND owner = ? \"")));

    private StoreMutations() {}
}
