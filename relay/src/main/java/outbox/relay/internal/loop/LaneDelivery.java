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

/** The way out of an event: from its lane through the gate of its destination. */
public final class LaneDelivery {

    private final LoopContext parts;
    private final Suspects suspects;
    private final PartitionPauses holds;
    private final Deliverer deliverer;
    private final Runnable waker;
    private @Nullable Duration blockedFor;

    public LaneDelivery(
            LoopContext parts, Suspects suspects, PartitionPauses holds, Deliverer deliverer, Runnable waker) {
        this.parts = parts;
        this.suspects = suspects;
        this.holds = holds;
        this.deliverer = deliverer;
        this.waker = waker;
    }

    /** Starts everything that may go now. */
    public void deliver(BooleanSupplier mayBegin) {
        blockedFor = null;
        boolean progress = true;
        while (progress) {
            progress = false;
            for (Route route : parts.lanes().readyRoutes()) {
                if (!holds.holdsRoute(route.name()) && mayBegin.getAsBoolean() && deliver(route, mayBegin)) {
                    progress = true;
                    break; // The next call belongs to the route that has had least by now.
                }
            }
        }
        trySuspect(mayBegin);
    }

    private void trySuspect(BooleanSupplier mayBegin) {
        boolean trying = false;
        while (!trying) {
            LaneEvent suspect = suspects.next();
            if (suspect == null) {
                return;
            }
            if (!mayBegin.getAsBoolean()) {
                suspects.putBack(suspect);
                return;
            }
            trying = deliver(suspect, mayBegin);
        }
    }

    private boolean deliver(LaneEvent suspect, BooleanSupplier mayBegin) {
        DestinationGate gate = parts.around().gates().of(suspect.route());
        boolean held = holds.holdsRoute(suspect.route().name())
                || parts.lanes().waiting().heldFor(suspect.laneId()) != null;
        if (gate == null || held) {
            suspects.putBack(suspect);
            return false;
        }
        DestinationGate.Room room = gate.reserve(waker);
        if (room.isNone()) {
            blocked(gate.nextTry());
            suspects.putBack(suspect);
            return false;
        }
        return start(gate, room, List.of(suspect), mayBegin);
    }

    private boolean deliver(Route route, BooleanSupplier mayBegin) {
        DestinationGate gate = parts.around().gates().of(route);
        if (gate == null) {
            parts.lanes().wayIsGone(route);
            return false;
        }
        DestinationGate.Room room = gate.reserve(waker);
        if (room.isNone()) {
            blocked(gate.nextTry());
            return false;
        }
        List<LaneEvent> taken = parts.lanes()
                .take(
                        route,
                        new Lanes.Portion(room.keys(), gate.traits().eventsPerKeyMax(), room.events(), room.bytes()));
        List<LaneEvent> events = suspects.sort(taken, gate.name());
        return start(gate, room, events, mayBegin) && !taken.isEmpty();
    }

    private boolean start(
            DestinationGate gate, DestinationGate.Room room, List<LaneEvent> events, BooleanSupplier mayBegin) {
        long bytes = 0;
        int keys = 0;
        for (int i = 0; i < events.size(); i++) {
            LaneEvent event = events.get(i);
            bytes += event.bytes();
            keys += i == 0 || events.get(i - 1).laneId() != event.laneId() ? 1 : 0;
        }
        if (!begin(gate, room, events, mayBegin)) {
            return false;
        }
        gate.giveBack(room, keys, events.size(), bytes);
        if (events.isEmpty()) {
            return true;
        }
        deliverer.start(gate, events, room.trial());
        return true;
    }

    // What is written down first takes time, in which the lease may end.
    private boolean begin(
            DestinationGate gate, DestinationGate.Room room, List<LaneEvent> events, BooleanSupplier mayBegin) {
        boolean begun = false;
        try {
            begun = events.isEmpty() || (suspects.begin(events) && mayBegin.getAsBoolean());
            return begun;
        } finally {
            if (!begun) {
                gate.giveBack(room, 0, 0, 0);
                events.forEach(suspects::putBack);
            }
        }
    }

    private void blocked(@Nullable Duration nextTry) {
        if (nextTry != null && (blockedFor == null || nextTry.compareTo(blockedFor) < 0)) {
            blockedFor = nextTry;
        }
    }

    /** How long until something that may not go now may go; null when that will be told by a wake-up. */
    @Nullable
    public Duration blockedFor() {
        return blockedFor;
    }
}
