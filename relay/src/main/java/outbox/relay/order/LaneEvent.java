package outbox.relay.order;

import outbox.model.OutboxEvent;
import outbox.model.PendingEvent;
import outbox.relay.route.Route;

/** An event in memory: waiting in its lane, under way, or waiting to be settled. */
public final class LaneEvent {

    final Lane lane;
    final Route route;
    private final PendingEvent pending;
    private final long bytes;

    LaneEvent(Lane lane, Route route, PendingEvent pending) {
        this.lane = lane;
        this.route = route;
        this.pending = pending;
        this.bytes = pending.bytes();
    }

    public OutboxEvent event() {
        return pending.event();
    }

    public Route route() {
        return route;
    }

    /** The hash of its key, which names its lane. */
    public int laneId() {
        return lane.id;
    }

    public long bytes() {
        return bytes;
    }

    long seq() {
        return pending.seq();
    }
}
