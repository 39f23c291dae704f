package outbox.relay.internal.order;

import java.util.List;
import java.util.function.Function;
import outbox.model.OutboxEvent;
import outbox.relay.internal.order.Lanes.Accepted;
import outbox.relay.route.Route;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.LanePage;

/** Decides which fetched events enter memory. The lanes of the others are skipped: their events stay in the table. */
final class LaneAdmission {

    private final Function<OutboxEvent, List<Route>> router;
    private final LaneQueues queues;

    LaneAdmission(Function<OutboxEvent, List<Route>> router, LaneQueues queues) {
        this.router = router;
        this.queues = queues;
    }

    /** Takes the events of a partition, in the order of the table; returns how many entered memory. */
    int accept(List<FetchedEvent> page, long nowNanos) {
        int taken = 0;
        for (FetchedEvent event : page) {
            if (!isInMemory(event) && !queues.overflow.isReadAgain(event.keyHash(), event.seq())) {
                taken += accept(queues.laneOf(event.keyHash()), event, nowNanos) ? 1 : 0;
            }
        }
        return taken;
    }

    private boolean isInMemory(FetchedEvent event) {
        return queues.memory.contains(event.seq(), event.event().eventId());
    }

    private boolean accept(Lane lane, FetchedEvent event, long nowNanos) {
        if (lane.skipped) {
            return false;
        }
        List<Route> routes = event.untilDue().isZero() ? remainingRoutes(event) : List.of();
        boolean continues = lane.failures == 0 && !lane.parked && lane.pausedBecause == null;
        boolean admitted = continues && !routes.isEmpty() && fits(lane, routes.getFirst());
        if (admitted) {
            add(new LaneEvent(lane, routes, event));
        } else {
            skip(lane, routes, event, nowNanos);
        }
        return admitted;
    }

    private boolean fits(Lane lane, Route route) {
        return lane.waiting.size() < queues.limits.eventsPerLaneMax()
                && !queues.memory.isFull()
                && !queues.shares.isOverShare(route);
    }

    private void skip(Lane lane, List<Route> routes, FetchedEvent event, long nowNanos) {
        long dueNanos = nowNanos + event.untilDue().toNanos();
        lane.route = routes.isEmpty() ? lane.route : routes.getFirst();
        if (queues.canOverflow(lane) && !queues.memory.isFull()) {
            queues.overflow(lane);
            if (routes.isEmpty()) {
                queues.overflow.awaitTime(dueNanos);
            } else {
                queues.overflow.awaitRoom(routes.getFirst());
            }
            return;
        }
        queues.skipped.add(lane);
        if (!event.untilDue().isZero() && lane.isEmpty()) {
            queues.parked.park(lane, dueNanos);
        }
        queues.enqueueFetch(lane);
    }

    // Destinations that have acknowledged the event do not get it again.
    private List<Route> remainingRoutes(FetchedEvent event) {
        List<Route> routes = router.apply(event.event());
        if (event.acknowledged().isEmpty() || routes.isEmpty()) {
            return routes;
        }
        List<Route> remaining = routes.stream()
                .filter(route -> !event.acknowledged().contains(route.target()))
                .toList();
        return remaining.isEmpty() ? List.of(routes.getFirst().nothingLeft()) : remaining;
    }

    private void add(LaneEvent event) {
        queues.memory.add(event);
        event.lane.add(event);
        event.lane.route = event.route();
        queues.shares.added(event.route());
        queues.enqueueIfReady(event.lane);
    }

    /** Takes the events of one skipped lane. */
    Accepted acceptLane(LanePage page, long nowNanos) {
        Lane lane = queues.laneOf(page.keyHash());
        boolean complete = page.complete();
        int taken = 0;
        for (FetchedEvent event : page.events()) {
            if (isInMemory(event)) {
                continue;
            }
            if (!event.untilDue().isZero()) {
                if (lane.isEmpty()) {
                    queues.parked.park(lane, nowNanos + event.untilDue().toNanos());
                }
                complete = false;
                break;
            }
            List<Route> routes = remainingRoutes(event);
            if (routes.isEmpty()) {
                queues.releaseDeferred();
                return new Accepted(taken, lane.isEmpty());
            }
            if (!fits(lane, routes.getFirst())) {
                lane.route = routes.getFirst();
                complete = false;
                break;
            }
            add(new LaneEvent(lane, routes, event));
            taken++;
        }
        if (complete) {
            queues.skipped.remove(lane);
        }
        queues.enqueueFetch(lane);
        queues.forgetIfIdle(lane);
        queues.releaseDeferred();
        return new Accepted(taken, false);
    }
}
