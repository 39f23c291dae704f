package outbox.testkit.simulation;

import java.util.List;

/**
 * A fault that somebody might build into the engine or into a store, and that the simulator has to notice.
 *
 * @param why what would come of it
 */
record Mutation(String name, String why, List<Edit> edits) {

    static final List<Mutation> ALL = List.of(
            of(
                    "no epoch check",
                    "a node that lost its slot would overwrite what the new owner has done",
                    edit(
                            "outbox/testkit/FencedSettle.java",
                            "&& !registry.isHeld(slot.hold())",
                            "&& slot.hold().slot() < 0")),
            of(
                    "epoch checked without lock",
                    "a takeover between the check and the write goes unnoticed",
                    edit(
                            "outbox/testkit/FencedSettle.java",
                            "int written = 0;",
                            "outbox.testkit.simulation.Interleaving.point(); int written = 0;")),
            of(
                    "reads behind the last row seen",
                    "a transaction that commits late is skipped, or overtaken by a younger one",
                    edit(
                            "outbox/relay/claim/SlotReader.java",
                            ": Math.max(bound, Math.min(fetched.horizon(), readTo));",
                            ": events.isEmpty() ? bound : events.get(events.size() - 1).seq();")),
            of(
                    "retry does not hold its lane",
                    "what is behind a failed event would overtake it",
                    edit(
                            "outbox/relay/SlotIntake.java",
                            "public boolean keepsOrder() { return true; }",
                            "public boolean keepsOrder() { return false; }")),
            of(
                    "second call of a key",
                    "two calls under way can arrive in any order",
                    edit(
                            "outbox/relay/order/Lane.java",
                            "return underWay == 0 && failures == 0",
                            "return failures == 0"),
                    edit(
                            "outbox/relay/order/Lane.java",
                            "return underWay == taken && failures == 0",
                            "return failures == 0")),
            of(
                    "settled before the answer",
                    "an event whose delivery fails after that is lost",
                    edit(
                            "outbox/relay/deliver/Deliverer.java",
                            "gate.destination().deliver(deliveries, call);",
                            "call.reportAll(new Outcome.Delivered()); gate.destination().deliver(deliveries, call);")),
            of(
                    "lease by wall clock",
                    "a clock that is set back makes a node deliver what is another's",
                    edit(
                            "outbox/relay/cluster/Membership.java",
                            "long asked = time.nanoTime(); store.join(",
                            "long asked = time.instant().toEpochMilli() * 1_000_000; store.join("),
                    edit(
                            "outbox/relay/cluster/Membership.java",
                            "long asked = time.nanoTime(); Optional<ClusterView>",
                            "long asked = time.instant().toEpochMilli() * 1_000_000; Optional<ClusterView>"),
                    edit(
                            "outbox/relay/cluster/Membership.java",
                            "&& time.nanoTime() - held.untilNanos() < 0",
                            "&& time.instant().toEpochMilli() * 1_000_000 - held.untilNanos() < 0")),
            of(
                    "lease never over",
                    "a node that stood still goes on with what is another's by now",
                    edit("outbox/relay/cluster/Membership.java", "&& time.nanoTime() - held.untilNanos() < 0", "")),
            of(
                    "released before drained",
                    "a planned move makes duplicates",
                    edit(
                            "outbox/relay/SlotLoop.java",
                            "if (timeIsOver || (deliverer.isIdle() && settling.waiting() == 0)) {",
                            "if (drainUntilNanos != 0) {")),
            of(
                    "epoch not raised",
                    "the former owner is not fenced",
                    edit(
                            "outbox/testkit/InMemoryCluster.java",
                            "new Slot(before.epoch() + 1, session, now)",
                            "new Slot(Math.max(1, before.epoch()), session, now)")),
            of(
                    "renumbered while owned",
                    "keys change their slot under the hands of its owner",
                    edit(
                            "outbox/testkit/InMemoryCluster.java",
                            "if (wanted == null || !areAllFree()) {",
                            "if (wanted == null) {")),
            of(
                    "passed lane forgotten",
                    "rows that the scan has passed are never looked up",
                    edit("outbox/relay/order/Lanes.java", "if (whole) {", "if (lane.passed) {")),
            of(
                    "wake up swallowed",
                    "what was committed lies there although everybody was told",
                    edit(
                            "outbox/relay/SlotIntake.java",
                            "public void wake() { wanted.set(true); }",
                            "public void wake() { }")),
            of(
                    "seen ahead and settled since",
                    "what was settled after a look for several slots is taken for pending, and delivered again",
                    edit(
                            "outbox/relay/SlotIntake.java",
                            "if (ahead.departures() != lanes.departures() ||",
                            "if (ahead.departures() < 0 ||")),
            of(
                    "seen ahead without a lane",
                    "what came to a lane that a look left out, after it was looked up by itself, is never read",
                    edit(
                            "outbox/relay/order/Lanes.java",
                            "return memory.departures() + passed.departures();",
                            "return memory.departures();")),
            of(
                    "forgotten slot kept",
                    "after a lost answer nobody works on the slot, and nobody may take it",
                    edit(
                            "outbox/relay/SlotAssignment.java",
                            "if (!forgotten.isEmpty()) {",
                            "if (forgotten.size() > 1_000) {")),
            of(
                    "dead event passed before it is written",
                    "after a crash the event is not dead, and what was behind it has overtaken it",
                    edit(
                            "outbox/relay/SlotSettling.java",
                            "} else if (settlement instanceof Settlement.Done ||",
                            "} else if (!(settlement instanceof Settlement.Retry) ||"),
                    edit(
                            "outbox/relay/SlotSettling.java",
                            "if (halts || !parts.intake().keepsOrder()) {",
                            "if (event != null) {")),
            of(
                    "failure written twice",
                    "a lost answer costs an event two attempts",
                    edit(
                            "outbox/testkit/FencedSettle.java",
                            "settlement instanceof Settlement.Done || row.state().attempts() == verdict.attempts()",
                            "row != null")),
            of(
                    "settles what is settled",
                    "a dead event that was written twice, or a done one, changes once more",
                    edit("outbox/testkit/FencedSettle.java", "return row.isPending() && isOurs(", "return isOurs(")),
            of(
                    "trial never given up",
                    "a circuit breaker waits for ever for an answer that nobody will report",
                    edit(
                            "outbox/relay/deliver/Call.java",
                            "if (trial && abandoned > 0) {",
                            "if (trial && abandoned < 0) {")),
            of(
                    "deadline ignored",
                    "one request that is never answered stops its key for ever",
                    edit(
                            "outbox/relay/deliver/Deliverer.java",
                            "gate.deadline().toNanos()",
                            "1_000 * gate.deadline().toNanos()")),
            of(
                    "verdicts forgotten when the store fails",
                    "delivered events stay pending for ever",
                    edit(
                            "outbox/relay/settle/Settler.java",
                            "int events = store.settle(",
                            "waiting.clear(); int events = store.settle("),
                    edit("outbox/relay/settle/Settler.java", "waiting.removeFirst();", "waiting.pollFirst();")),
            of(
                    "look up forgotten when the store fails",
                    "a parked key is never taken up again",
                    edit("outbox/relay/SlotIntake.java", "lanes.lookUpFailed(ids); throw e;", "throw e;")),
            of(
                    "delayed events forgotten",
                    "the scan has passed them before they were due",
                    edit("outbox/relay/SlotPoll.java", "each.loop().cameDue(lanes);", "each.loop().wake();")),
            of(
                    "dead event does not halt its key",
                    "what is behind it goes on although somebody was to look first",
                    edit(
                            "outbox/relay/SlotSettling.java",
                            "return halts ? event.event().orderingKey() : null;",
                            "return null;")),
            of(
                    "halt not written",
                    "the next owner of the slot knows nothing of it",
                    edit("outbox/testkit/FencedSettle.java", "halt(verdict.haltsKey(), row.id());", "")),
            of(
                    "acknowledgement not remembered",
                    "an event that failed at its second destination goes to the first again",
                    edit(
                            "outbox/relay/SlotSettling.java",
                            "settler.acknowledge(new Acknowledgement(parts.intake().claimOf(event), taken.target()));",
                            "")),
            of(
                    "acknowledgement not looked up",
                    "after a crash an event goes again where it was acknowledged",
                    edit(
                            "outbox/relay/claim/Acknowledged.java",
                            "Map<String, Set<String>> targets = ids.isEmpty() ? Map.of() : store.acknowledged(ids);",
                            "Map<String, Set<String>> targets = Map.of();")),
            of(
                    "read before its acknowledgements are known",
                    "a look-up that fails leaves events behind that were never taken up",
                    edit(
                            "outbox/relay/SlotIntake.java",
                            "reader.read(room(lanes), acknowledged::of)",
                            "reader.read(room(lanes), events -> events)"),
                    edit(
                            "outbox/relay/SlotIntake.java",
                            "reader.take(seen, acknowledged::of)",
                            "reader.take(seen, events -> events)"),
                    edit(
                            "outbox/relay/SlotIntake.java",
                            "lanes.accept(fetched.events(), time().nanoTime());",
                            "lanes.accept(acknowledged.of(fetched.events()), time().nanoTime());")),
            of(
                    "only the first destination",
                    "the others never get the event",
                    edit(
                            "outbox/relay/order/LaneEvent.java",
                            "return way + 1 < ways.size();",
                            "return way > ways.size();")),
            of(
                    "memory without end",
                    "a backlog takes all the memory there is",
                    edit(
                            "outbox/relay/order/LaneMemory.java",
                            "return known.size() >= limits.eventsMax() || (bytes >= limits.bytesMax() && !known.isEmpty());",
                            "return limits.eventsMax() < 0;"),
                    edit(
                            "outbox/relay/order/LaneMemory.java",
                            "Math.max(0, limits.eventsMax() - known.size())",
                            "limits.eventsMax()")));

    /**
     * A change of one source.
     *
     * @param file relative to the folder of sources
     * @param find what has to be there exactly once; how it is broken into lines does not matter
     */
    record Edit(String file, String find, String replacement) {}

    private static Mutation of(String name, String why, Edit... edits) {
        return new Mutation(name, why, List.of(edits));
    }

    private static Edit edit(String file, String find, String replacement) {
        return new Edit(file, find, replacement);
    }

    @Override
    public String toString() {
        return name;
    }
}
