package catbox.mutations;

import static catbox.mutations.Mutation.edit;
import static catbox.mutations.Mutation.mutation;

import java.util.List;

/** Which event goes next, what is under way, and what becomes of it. */
final class OrderMutations {

    private static final Catcher FEW = new Catcher.Seeds(Catcher.GATE_SEEDS_MAX);
    private static final Catcher MANY = new Catcher.Seeds(2_500);

    static final List<Mutation> ALL = List.of(
            mutation(
                    "second call of a key",
                    "two calls under way can arrive in any order",
                    FEW,
                    edit(
                            "outbox/relay/internal/order/Lane.java",
                            "return underWay == 0 && failures == 0",
                            "return failures == 0"),
                    edit(
                            "outbox/relay/internal/order/Lane.java",
                            "return underWay == taken && failures == 0",
                            "return failures == 0")),
            mutation(
                    "settled before the answer",
                    "an event whose delivery fails after that is lost",
                    FEW,
                    edit(
                            "outbox/relay/internal/deliver/Deliverer.java",
                            "gate.destination().deliver(deliveries, call);",
                            "call.reportAll(new Outcome.Delivered()); gate.destination().deliver(deliveries, call);")),
            mutation(
                    "passed lane forgotten",
                    "rows that the scan has passed are never looked up",
                    FEW,
                    edit("outbox/relay/internal/order/Lanes.java", "if (whole) {", "if (lane.passed) {")),
            mutation(
                    "seen ahead without a lane",
                    "what came to a lane that a look left out, after it was looked up by itself, is never read",
                    MANY,
                    edit(
                            "outbox/relay/internal/order/Lanes.java",
                            "return queues.memory.departures() + queues.passed.departures();",
                            "return queues.memory.departures();")),
            mutation(
                    "dead event passed before it is written",
                    "after a crash the event is not dead, and what was behind it has overtaken it",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/OutcomeHandler.java",
                            "} else if (settlement instanceof Settlement.Done ||",
                            "} else if (!(settlement instanceof Settlement.Retry) ||"),
                    edit(
                            "outbox/relay/internal/loop/OutcomeHandler.java",
                            "if (halts || !parts.intake().keepsOrder()) {",
                            "if (event != null) {")),
            mutation(
                    "trial never given up",
                    "a circuit breaker waits for an answer that nobody will report, and lets no other event try meanwhile",
                    new Catcher.Test(
                            "relay",
                            "outbox.relay.internal.deliver.DelivererTest",
                            "letsAnotherTryWhenATrialIsAbandoned"),
                    edit(
                            "outbox/relay/internal/deliver/Call.java",
                            "if (trial && abandoned > 0) {",
                            "if (trial && abandoned < 0) {")),
            mutation(
                    "deadline ignored",
                    "one request that is never answered stops its key for ever",
                    FEW,
                    edit(
                            "outbox/relay/internal/deliver/Deliverer.java",
                            "gate.deadline().toNanos()",
                            "1_000 * gate.deadline().toNanos()")),
            mutation(
                    "verdicts forgotten when the store fails",
                    "delivered events stay pending for ever",
                    FEW,
                    edit(
                            "outbox/relay/internal/settle/Settler.java",
                            "SettleResult result = store.settle(",
                            "waiting.clear(); SettleResult result = store.settle("),
                    edit(
                            "outbox/relay/internal/settle/Settler.java",
                            "waiting.removeFirst();",
                            "waiting.pollFirst();")),
            mutation(
                    "dead event does not halt its key",
                    "what is behind it goes on although somebody was to look first",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/OutcomeHandler.java",
                            "return halts ? event.event().orderingKey() : null;",
                            "return null;")),
            mutation(
                    "acknowledgement not remembered",
                    "an event that failed at its second destination goes to the first again",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/OutcomeHandler.java",
                            "settler.acknowledge(new Acknowledgement(parts.intake().claimOf(event), taken.target()));",
                            "")),
            mutation(
                    "only the first destination",
                    "the others never get the event",
                    FEW,
                    edit(
                            "outbox/relay/internal/order/LaneEvent.java",
                            "return way + 1 < ways.size();",
                            "return way > ways.size();")),
            mutation(
                    "memory without end",
                    "a backlog takes all the memory there is",
                    FEW,
                    edit(
                            "outbox/relay/internal/order/LaneMemory.java",
                            "return known.size() >= limits.eventsMax() || (bytes >= limits.bytesMax() && !known.isEmpty());",
                            "return limits.eventsMax() < 0;"),
                    edit(
                            "outbox/relay/internal/order/LaneMemory.java",
                            "Math.max(0, limits.eventsMax() - known.size())",
                            "limits.eventsMax()")),
            mutation(
                    "attempt counted in an outage",
                    "an outage that lasts longer than all attempts kills every event that waits",
                    FEW,
                    edit(
                            "outbox/relay/internal/deliver/Call.java",
                            "yield othersArrive ? new Consequence.Paused(gate.pauseAfterFailure())"
                                    + " : Consequence.RETURNED;",
                            "yield othersArrive ? Consequence.ATTEMPTED : Consequence.ATTEMPTED;"),
                    edit(
                            "outbox/internal/SettleRule.java",
                            "postponedOrDead(claim, unavailable, age);",
                            "retryOrDead(claim, new Outcome.Retryable(unavailable.error(), null), attempts + 1, ownMax);")),
            mutation(
                    "probe intervals without end",
                    "after a long outage deliveries begin again long after the destination is back",
                    MANY,
                    edit(
                            "outbox/relay/internal/deliver/CircuitBreaker.java",
                            "twice.compareTo(config.breakerRestMax()) > 0 ? config.breakerRestMax() : twice;",
                            "twice;")),
            mutation(
                    "missing address taken for an outage",
                    "one topic that does not exist stops all others of its destination",
                    FEW,
                    edit(
                            "outbox/relay/internal/deliver/Call.java",
                            "yield address != null && gate.addresses().failed(address, unavailable.error(),"
                                    + " unavailable.after()) ? new Consequence.AwaitsAddress(address)"
                                    + " : new Consequence.Paused(gate.pauseOfAddress());",
                            "gate.unavailable(unavailable.error() + address, null, trial); yield Consequence.RETURNED;")),
            mutation(
                    "lanes of an address never let go",
                    "its events wait although it is there again",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/AddressPauses.java",
                            "letGo(waiting, List.copyOf(waiting.lanes));",
                            "letGoOverdue(waiting);")),
            mutation(
                    "skipped lane is read",
                    "a younger event of a key overtakes an older one that waits for its address",
                    MANY,
                    edit(
                            "outbox/relay/internal/order/OverflowLanes.java",
                            "return isOne;",
                            "return isOne && seq < 0;")),
            mutation(
                    "half of the memory or nothing",
                    "events that wait for a destination which is down keep those of others from being read",
                    new Catcher.Test(
                            "relay",
                            "outbox.relay.RelayOutageTest",
                            "leavesRoomForEventsOfAnotherDestinationHoweverManyWait"),
                    edit(
                            "outbox/relay/internal/loop/PartitionClaimer.java",
                            "boolean fits = hasRoom(lanes) || (little && lanes.room() > 0);",
                            "boolean fits = hasRoom(lanes);")),
            mutation(
                    "failures never one by one",
                    "a call that one event spoils fails as a whole for ever",
                    FEW,
                    edit("outbox/relay/internal/order/Lanes.java", "lane.singly += lane.lastCall > 1 ? 1 : 0;", "")),
            mutation(
                    "companions charged",
                    "events that failed with another cost attempts, and die of its fault",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/CallFailures.java",
                            "if (!event.wentInCompany() ||",
                            "if (event != null ||")));

    private OrderMutations() {}
}
