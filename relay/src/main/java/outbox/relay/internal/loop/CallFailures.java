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
 * Events of one lane that went in one call. Only the first of them that failed has failed by itself: those behind it could
 * not arrive before it, so it costs them no attempt and they go back as they were. Which one is the first is known when
 * all of them have been reported; until then failures wait here.
 */
public final class CallFailures {

    private final Map<Integer, Failed> failedOfLane = new HashMap<>();

    /** What failed of a lane's call so far. */
    private static final class Failed {
        private final List<DeliveryResult> waiting = new ArrayList<>();
        private long rejectedSeq = Long.MAX_VALUE;
    }

    /**
     * What is to be done about failures that have waited.
     *
     * @param failed what failed by itself: one, or none when an event before it was rejected
     * @param behind what goes back
     */
    public record Decided(List<DeliveryResult> failed, List<DeliveryResult> behind) {
        private static final Decided NOTHING = new Decided(List.of(), List.of());
    }

    /** Takes what was reported; false when it can be decided on at once, because nothing before it changes that. */
    public boolean keep(DeliveryResult result) {
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

    /** Decides on the failures of an event's lane, as soon as nothing else of it is under way. */
    public Decided decide(LaneEvent event) {
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
