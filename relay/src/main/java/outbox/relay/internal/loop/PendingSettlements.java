package outbox.relay.internal.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import outbox.model.Settlement;
import outbox.relay.RelayConfig;
import outbox.relay.internal.deliver.Deliverer;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.internal.order.Lanes;
import outbox.relay.internal.settle.Settler;
import outbox.relay.observe.RelayEvent;
import outbox.spi.Acknowledgement;
import outbox.spi.SettleItem;

/** The settlements that wait to be written: decides when they are, and what their lanes do then. */
final class PendingSettlements {

    private final LoopContext context;
    private final Lanes lanes;
    private final PartitionPauses pauses;
    private final Deliverer deliverer;
    private final Settler settler;
    /** The events of the settlements, in the order of the settler. */
    private final ArrayDeque<LaneEvent> events = new ArrayDeque<>();

    PendingSettlements(LoopContext context, PartitionPauses pauses, Deliverer deliverer) {
        this.context = context;
        this.lanes = context.lanes();
        this.pauses = pauses;
        this.deliverer = deliverer;
        RelayConfig config = context.relay().config();
        this.settler = new Settler(
                context.owner().store(),
                context.owner().fence(),
                config.cluster().nodeId(),
                config.settle(),
                context.relay().pacing(),
                context.relay().time());
    }

    void add(LaneEvent event, SettleItem item, long answeredNanos) {
        events.add(event);
        settler.add(item, answeredNanos);
    }

    /** One of several destinations has acknowledged an event: that is written before anything is fetched again. */
    void acknowledge(LaneEvent event, String target) {
        settler.acknowledge(new Acknowledgement(context.claimer().claimOf(event), target));
    }

    boolean isEmpty() {
        return settler.waiting() == 0;
    }

    // ---- when they are written -----------------------------------------------------------------------------------

    /**
     * How long they may wait for others; zero when they are to be written now. When no other settlement is to come, nothing
     * is waited for. But in a steady flow that is so after each event, and each would have its own commit. So it counts
     * only after a rest, or when memory is full or a key is blocked.
     */
    Duration untilDue() {
        if (settler.hasAcknowledgements()) {
            return Duration.ZERO;
        }
        Duration untilDue = settler.untilDue();
        if (!deliverer.isIdle() || !lanes.readyRoutes().isEmpty()) {
            return untilDue;
        }
        boolean now = settler.waiting() >= context.relay().pacing().settleAtOnce()
                || context.claimer().needsRoom(lanes)
                || events.stream().anyMatch(LaneEvent::blocksKey);
        Duration untilRested = settler.untilRested();
        return now ? Duration.ZERO : untilDue.compareTo(untilRested) <= 0 ? untilDue : untilRested;
    }

    /**
     * For how long answers may wait because nothing depends on them: all that is in memory is in flight or waits to be
     * settled, and the next batch takes them along. Zero when they may not.
     */
    Duration answersCanWaitFor() {
        boolean canWait = deliverer.inFlight() > 0
                && lanes.memory().events() == deliverer.inFlight() + settler.waiting()
                && lanes.skippedLanes().isEmpty()
                && !settler.hasAcknowledgements()
                && !context.claimer().needsRoom(lanes);
        return canWait ? settler.untilRested() : Duration.ZERO;
    }

    // ---- write ---------------------------------------------------------------------------------------------------

    /** Writes a batch; false when it was fenced, and nothing was written. */
    boolean write() {
        long begun = context.now();
        Settler.Written written = settler.settle();
        List<SettleItem> items = written.items();
        List<LaneEvent> batch = new ArrayList<>(items.size());
        items.forEach(item -> batch.add(events.removeFirst()));
        if (written.isFenced()) {
            context.publish(new RelayEvent.Fenced(context.partition(), batch.size()));
            return false;
        }
        settled(batch, items, Duration.ofNanos(context.now() - begun));
        if (written.lost() > 0 && !context.claimer().keepsOrder()) {
            context.publish(new RelayEvent.Fenced(context.partition(), written.lost()));
        }
        return true;
    }

    private void settled(List<LaneEvent> batch, List<SettleItem> items, Duration took) {
        int done = 0;
        int retry = 0;
        int dead = 0;
        for (int i = 0; i < batch.size(); i++) {
            LaneEvent event = batch.get(i);
            switch (items.get(i).settlement()) {
                case Settlement.Done one -> {
                    done++;
                    lanes.settled(event);
                }
                case Settlement.Retry one -> {
                    retry++;
                    settledForRetry(event, one.delay());
                }
                case Settlement.Postponed one -> {
                    retry++;
                    settledForRetry(event, one.delay());
                }
                case Settlement.Dead one -> {
                    dead++;
                    settledDead(event, items.get(i).pausesKey() != null);
                }
            }
        }
        context.claimer().settled(batch);
        context.publish(new RelayEvent.Settled(context.partition(), done, retry, dead, took));
    }

    private void settledForRetry(LaneEvent event, Duration delay) {
        if (context.claimer().keepsOrder()) {
            lanes.settledFailure(event, context.now() + delay.toNanos());
            context.publish(new RelayEvent.Parked(context.partition(), event.laneId(), "retry in " + delay));
        } else {
            lanes.settled(event);
        }
    }

    private void settledDead(LaneEvent event, boolean pausesKey) {
        if (pausesKey) {
            pauses.keyPausePersisted(event.laneId());
        }
        if (pausesKey || !context.claimer().keepsOrder()) {
            lanes.settled(event);
        } else {
            lanes.settledFailure(event, context.now()); // Nothing to wait for: its lane is fetched again at once.
        }
    }
}
