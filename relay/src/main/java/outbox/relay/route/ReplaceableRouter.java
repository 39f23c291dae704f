package outbox.relay.route;

import java.util.List;
import outbox.model.OutboxEvent;

/** A router that can be replaced while it is used. */
public final class ReplaceableRouter implements Router {

    private volatile Router current;
    /** Stays true once it is: events that went to some of several destinations may still be pending. */
    private volatile boolean everFannedOut;

    public ReplaceableRouter(Router first) {
        this.current = first;
        this.everFannedOut = first.fansOut();
    }

    /** Uses the next router for events that are routed from now on. */
    public synchronized void replace(Router next) {
        everFannedOut = everFannedOut || next.fansOut();
        current = next;
    }

    @Override
    public List<Route> route(OutboxEvent event) {
        return current.route(event);
    }

    @Override
    public List<Route> routes() {
        return current.routes();
    }

    @Override
    public List<Rule> rules() {
        return current.rules();
    }

    @Override
    public boolean fansOut() {
        return everFannedOut;
    }
}
