package outbox.relay.internal.order;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.message.Template;
import outbox.model.OutboxEvent;
import outbox.relay.internal.model.Deliverable;
import outbox.relay.internal.model.DeliveryResult;
import outbox.relay.route.Route;
import outbox.spi.relay.FetchedEvent;

/** An event in memory: waiting in its lane, in flight, or waiting to be settled. */
public final class LaneEvent implements Deliverable {

    final Lane lane;
    private final FetchedEvent fetched;
    private final long bytes;
    /** The routes that it takes, one after the other. */
    private final List<Route> routes;

    private int routeIndex;
    private boolean outdated;

    LaneEvent(Lane lane, List<Route> routes, FetchedEvent fetched) {
        this.lane = lane;
        this.routes = routes;
        this.fetched = fetched;
        this.bytes = fetched.bytes();
    }

    /** The event of a result, where all that was delivered came from lanes. */
    public static LaneEvent of(DeliveryResult result) {
        return (LaneEvent) result.delivered();
    }

    @Override
    public OutboxEvent event() {
        return fetched.event();
    }

    public Route route() {
        return routes.get(routeIndex);
    }

    /** Whether it has another destination after this one. */
    public boolean hasNextRoute() {
        return routeIndex + 1 < routes.size();
    }

    /** Whether it has several destinations, or was acknowledged by some. */
    public boolean fansOut() {
        return routes.size() > 1 || !fetched.acknowledged().isEmpty();
    }

    void proceed() {
        routeIndex++;
    }

    @Override
    public int laneId() {
        return lane.id;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public @Nullable Template address() {
        return route().address();
    }

    /** Its place in the order of insertion. */
    public long seq() {
        return fetched.seq();
    }

    /** The sequence was reset after it was fetched. */
    void outdate() {
        outdated = true;
    }

    /** Whether its row may be gone, and its seq given to another event. */
    boolean isOutdated() {
        return outdated;
    }

    /** Whether the last call with events of its lane had several of them. */
    public boolean sentInBatch() {
        return lane.lastCall > 1;
    }

    /** Whether its lane continues only when it is settled. */
    public boolean blocksKey() {
        return lane.waitsForSettling();
    }

    /** How many events of its lane are in flight. */
    public int inFlightInLane() {
        return lane.inFlight;
    }
}
