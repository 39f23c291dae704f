package outbox.relay.internal.loop;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.relay.internal.deliver.Deliverer;
import outbox.relay.internal.deliver.DestinationGate;
import outbox.relay.internal.order.LaneEvent;
import outbox.relay.internal.order.Lanes;
import outbox.relay.route.Route;

/** Moves events from their lanes through the gates of their destinations. */
final class LaneDelivery {

    private final LoopContext context;
    private final Suspects suspects;
    private final PartitionPauses pauses;
    private final Deliverer deliverer;
    private @Nullable Duration blockedFor;

    LaneDelivery(LoopContext context, Suspects suspects, PartitionPauses pauses, Deliverer deliverer) {
        this.context = context;
        this.suspects = suspects;
        this.pauses = pauses;
        this.deliverer = deliverer;
    }

    /** Starts everything that may be delivered now. */
    void deliver(BooleanSupplier mayDeliver) {
        blockedFor = null;
        boolean progress = true;
        while (progress) {
            progress = false;
            for (Route route : context.lanes().readyRoutes()) {
                if (!pauses.isRoutePaused(route.name()) && mayDeliver.getAsBoolean() && deliver(route, mayDeliver)) {
                    progress = true;
                    break; // The next call is for the route that has had least by now.
                }
            }
        }
        trySuspect(mayDeliver);
    }

    private void trySuspect(BooleanSupplier mayDeliver) {
        boolean started = false;
        while (!started) {
            LaneEvent suspect = suspects.next();
            if (suspect == null) {
                return;
            }
            if (!mayDeliver.getAsBoolean()) {
                suspects.putBack(suspect);
                return;
            }
            started = deliver(suspect, mayDeliver);
        }
    }

    private boolean deliver(LaneEvent suspect, BooleanSupplier mayDeliver) {
        DestinationGate gate = context.relay().gates().of(suspect.route());
        boolean paused = pauses.isRoutePaused(suspect.route().name())
                || context.lanes().waiting().pausedBecause(suspect.laneId()) != null;
        if (gate == null || paused) {
            suspects.putBack(suspect);
            return false;
        }
        DestinationGate.Permit permit = gate.reserve(context.node().waker());
        if (permit.isNone()) {
            blocked(gate.nextTry());
            suspects.putBack(suspect);
            return false;
        }
        return start(gate, permit, List.of(suspect), mayDeliver);
    }

    private boolean deliver(Route route, BooleanSupplier mayDeliver) {
        DestinationGate gate = context.relay().gates().of(route);
        if (gate == null) {
            context.lanes().routeRemoved(route);
            return false;
        }
        DestinationGate.Permit permit = gate.reserve(context.node().waker());
        if (permit.isNone()) {
            blocked(gate.nextTry());
            return false;
        }
        List<LaneEvent> taken = context.lanes()
                .take(
                        route,
                        new Lanes.CallLimit(
                                permit.keys(), gate.traits().eventsPerKeyMax(), permit.events(), permit.bytes()));
        List<LaneEvent> events = suspects.sort(taken, gate.name());
        return start(gate, permit, events, mayDeliver) && !taken.isEmpty();
    }

    private boolean start(
            DestinationGate gate, DestinationGate.Permit permit, List<LaneEvent> events, BooleanSupplier mayDeliver) {
        long bytes = 0;
        int keys = 0;
        for (int i = 0; i < events.size(); i++) {
            LaneEvent event = events.get(i);
            bytes += event.bytes();
            keys += i == 0 || events.get(i - 1).laneId() != event.laneId() ? 1 : 0;
        }
        if (!begin(gate, permit, events, mayDeliver)) {
            return false;
        }
        gate.release(permit, keys, events.size(), bytes);
        if (events.isEmpty()) {
            return true;
        }
        deliverer.start(gate, events, permit.probe());
        return true;
    }

    // Marking takes time, in which the lease may end.
    private boolean begin(
            DestinationGate gate, DestinationGate.Permit permit, List<LaneEvent> events, BooleanSupplier mayDeliver) {
        boolean begun = false;
        try {
            begun = events.isEmpty() || (suspects.begin(events) && mayDeliver.getAsBoolean());
            return begun;
        } finally {
            if (!begun) {
                gate.release(permit, 0, 0, 0);
                events.forEach(suspects::putBack);
            }
        }
    }

    private void blocked(@Nullable Duration nextTry) {
        if (nextTry != null && (blockedFor == null || nextTry.compareTo(blockedFor) < 0)) {
            blockedFor = nextTry;
        }
    }

    /** How long until something that is blocked may be delivered; null when a waker will be run. */
    @Nullable
    Duration blockedFor() {
        return blockedFor;
    }
}
