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
                            "outbox/relay/cluster/Membership.java",
                            "long asked = time.nanoTime(); store.join(",
                            "long asked = time.instant().toEpochMilli() * 1_000_000; store.join("),
                    edit(
                            "outbox/relay/cluster/Membership.java",
                            "long asked = time.nanoTime(); lease = held.atMost(",
                            "long asked = time.instant().toEpochMilli() * 1_000_000; lease = held.atMost("),
                    edit(
                            "outbox/relay/cluster/Membership.java",
                            "&& time.nanoTime() - held.untilNanos() < 0",
                            "&& time.instant().toEpochMilli() * 1_000_000 - held.untilNanos() < 0"),
                    edit(
                            "outbox/relay/cluster/Membership.java",
                            "&& time.nanoTime() - held.undisputedUntilNanos() < 0",
                            "")),
            mutation(
                    "lease never over",
                    "a node that stood still goes on with what is another's by now",
                    FEW,
                    edit("outbox/relay/cluster/Membership.java", "&& time.nanoTime() - held.untilNanos() < 0", ""),
                    edit(
                            "outbox/relay/cluster/Membership.java",
                            "&& time.nanoTime() - held.undisputedUntilNanos() < 0",
                            "")),
            mutation(
                    "released before drained",
                    "a planned move makes duplicates",
                    FEW,
                    edit(
                            "outbox/relay/SlotLoop.java",
                            "if (timeIsOver || (deliverer.isIdle() && settling.waiting() == 0)) {",
                            "if (drainUntilNanos != 0) {")),
            mutation(
                    "forgotten slot kept",
                    "after a lost answer nobody works on the slot, and nobody may take it",
                    FEW,
                    edit(
                            "outbox/relay/SlotAssignment.java",
                            "if (!forgotten.isEmpty()) {",
                            "if (forgotten.size() > 1_000) {")),
            mutation(
                    "lease without a margin",
                    "a node whose clock is a little slow believes in its lease when another has its partitions",
                    FEW,
                    edit(
                            "outbox/relay/cluster/Membership.java",
                            "return config.timeout().minus(config.timeout().dividedBy(10));",
                            "return config.timeout();")));

    private ClusterMutations() {}
}
