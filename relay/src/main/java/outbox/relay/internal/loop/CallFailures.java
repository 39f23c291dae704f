package outbox.relay.internal.loop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.model.Outcome;
import outbox.relay.internal.model.DeliveryResult;
import outbox.relay.internal.order.LaneEvent;

/**
 * Finds the first failure among the events of a lane that were sent in one call. Only that one costs an attempt: those behind
 * it could not arrive before it, and return to their lane. The first is known when all of them are answered; until then
 * failures wait here.
 */
final class CallFailures {

    private final Map<Integer, Failed> failedOfLane = new HashMap<>();

    /** What failed of a lane's call so far. */
    private static final class Failed {
        private final List<DeliveryResult> waiting = new ArrayList<>();
        private long rejectedSeq = Long.MAX_VALUE;
    }

    /**
     * What follows from failures that have waited.
     *
     * @param failed the first failure; empty when an event before it was rejected
     * @param behind what returns to its lane
     */
    record Decided(List<DeliveryResult> failed, List<DeliveryResult> behind) {
        private static final Decided NOTHING = new Decided(List.of(), List.of());
    }

    /** Keeps a failure; false when it can be decided at once, because nothing before it changes that. */
    boolean keep(DeliveryResult result) {
        LaneEvent event = LaneEvent.of(result);
        if (!event.sentInBatch() || result.outcome() instanceof Outcome.Delivered) {
            return false;
        }
        Failed failed = failedOfLane.computeIfAbsent(event.laneId(), id -> new Failed());
        if (result.outcome() instanceof Outcome.Rejected) {
            failed.rejectedSeq = Math.min(failed.rejectedSeq, event.seq());
            return false;
        }
        failed.waiting.add(result);
        return true;
    }

    /** Decides about the failures of an event's lane, as soon as nothing else of it is in flight. */
    Decided decide(LaneEvent event) {
        Failed failed = failedOfLane.isEmpty() ? null : failedOfLane.get(event.laneId());
        if (failed == null || event.inFlightInLane() > failed.waiting.size()) {
            return Decided.NOTHING;
        }
        failedOfLane.remove(event.laneId());
        List<DeliveryResult> inOrder = failed.waiting;
        inOrder.sort(Comparator.comparingLong(each -> LaneEvent.of(each).seq()));
        boolean hasFirst = !inOrder.isEmpty() && LaneEvent.of(inOrder.get(0)).seq() < failed.rejectedSeq;
        int own = hasFirst ? 1 : 0;
        return new Decided(inOrder.subList(0, own), inOrder.subList(own, inOrder.size()));
    }
}
