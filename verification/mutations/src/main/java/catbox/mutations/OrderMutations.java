package catbox.mutations;

import static catbox.mutations.Mutation.edit;
import static catbox.mutations.Mutation.mutation;

import java.util.List;

/** Which event goes next, what is in flight, and what becomes of it. */
final class OrderMutations {

    private static final Catcher FEW = new Catcher.Seeds(Catcher.GATE_SEEDS_MAX);
    private static final Catcher MANY = new Catcher.Seeds(2_500);

    static final List<Mutation> ALL = List.of(
            mutation(
                    "second call of a key",
                    "two calls in flight can arrive in any order",
                    FEW,
                    edit(
                            "outbox/relay/internal/order/Lane.java",
                            "return inFlight == 0 && failures == 0",
                            "return failures == 0"),
                    edit(
                            "outbox/relay/internal/order/Lane.java",
                            "return inFlight == taken && failures == 0",
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
                    "skipped lane forgotten",
                    "rows that a fetch has skipped are never read",
                    FEW,
                    edit("outbox/relay/internal/order/LaneAdmission.java", "if (complete) {", "if (lane.skipped) {")),
            mutation(
                    "prefetched without a lane",
                    "what came to a lane that a prefetch left out, after the lane was fetched, is never read",
                    new Catcher.Test(
                            "relay",
                            "outbox.relay.internal.order.LanesTest",
                            "countsALaneThatIsNoLongerSkippedAsARemoval"),
                    edit(
                            "outbox/relay/internal/order/Lanes.java",
                            "return queues.memory.removals() + queues.skipped.removals();",
                            "return queues.memory.removals();")),
            mutation(
                    "dead event passed before it is written",
                    "after a crash the event is not dead, and what was behind it has overtaken it",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/OutcomeHandler.java",
                            "} else if (settlement instanceof Settlement.Done ||",
                            "} else if (!(settlement instanceof Settlement.Retry) ||"),
                    edit(
                            "outbox/relay/internal/loop/PendingSettlements.java",
                            "if (pausesKey || !context.claimer().keepsOrder()) {",
                            "if (event != null) {")),
            mutation(
                    "probe never abandoned",
                    "a circuit breaker waits for an answer that never comes, and lets no other event probe meanwhile",
                    new Catcher.Test(
                            "relay",
                            "outbox.relay.internal.deliver.DelivererTest",
                            "letsAnotherTryWhenATrialIsAbandoned"),
                    edit(
                            "outbox/relay/internal/deliver/Call.java",
                            "if (probe && abandoned > 0) {",
                            "if (probe && abandoned < 0) {")),
            mutation(
                    "deadline ignored",
                    "one request that is never answered stops its key for ever",
                    FEW,
                    edit(
                            "outbox/relay/internal/deliver/Deliverer.java",
                            "gate.config().deadline().toNanos()",
                            "1_000 * gate.config().deadline().toNanos()")),
            mutation(
                    "settlements forgotten when the store fails",
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
                    "dead event does not pause its key",
                    "what is behind it continues although an operator was to check first",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/OutcomeHandler.java",
                            "return pausesKey ? event.event().orderingKey() : null;",
                            "return null;")),
            mutation(
                    "acknowledgement not remembered",
                    "an event that failed at its second destination goes to the first again",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/OutcomeHandler.java",
                            "settlements.acknowledge(event, taken.target());",
                            "")),
            mutation(
                    "only the first destination",
                    "the others never get the event",
                    FEW,
                    edit(
                            "outbox/relay/internal/order/LaneEvent.java",
                            "return routeIndex + 1 < routes.size();",
                            "return routeIndex > routes.size();")),
            mutation(
                    "memory without end",
                    "a backlog takes all the memory there is",
                    FEW,
                    edit(
                            "outbox/relay/internal/order/LaneMemory.java",
                            "return inMemory.size() >= limits.eventsMax() || (bytes >= limits.bytesMax() && !inMemory.isEmpty());",
                            "return limits.eventsMax() < 0;"),
                    edit(
                            "outbox/relay/internal/order/LaneMemory.java",
                            "Math.max(0, limits.eventsMax() - inMemory.size())",
                            "limits.eventsMax()")),
            mutation(
                    "attempt counted in an outage",
                    "an outage that lasts longer than all attempts kills every event that waits",
                    FEW,
                    edit(
                            "outbox/relay/internal/deliver/Call.java",
                            "yield othersArrive ? new Consequence.Paused(gate.config().breakerRest())"
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
                                    + " : new Consequence.Paused(gate.config().breakerRestMax());",
                            "gate.unavailable(unavailable.error() + address, null, probe); yield Consequence.RETURNED;")),
            mutation(
                    "lanes of an address never released",
                    "its events wait although it is there again",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/AddressPauses.java",
                            "release(waiting, List.copyOf(waiting.lanes));",
                            "releaseOverdue(waiting);")),
            mutation(
                    "overflowed lane is read",
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
                            "boolean fits = hasCapacity(lanes) || (anyRoom && lanes.fetchCapacity() > 0);",
                            "boolean fits = hasCapacity(lanes);")),
            mutation(
                    "failures never one by one",
                    "a call that one event spoils fails as a whole for ever",
                    FEW,
                    edit("outbox/relay/internal/order/Lanes.java", "lane.oneByOne += lane.lastCall > 1 ? 1 : 0;", "")),
            mutation(
                    "companions charged",
                    "events that failed with another cost attempts, and die of its fault",
                    FEW,
                    edit(
                            "outbox/relay/internal/loop/CallFailures.java",
                            "if (!event.sentInBatch() ||",
                            "if (event != null ||")));

    private OrderMutations() {}
}
