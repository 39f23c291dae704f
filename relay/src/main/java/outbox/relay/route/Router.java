package outbox.relay.route;

import java.util.List;
import java.util.Optional;
import outbox.model.OutboxEvent;

/** Chooses the way of an event. */
public interface Router {

    /** The event's route; empty when there is none, and then the event waits until there is. */
    Optional<Route> route(OutboxEvent event);

    /** All routes, in the order of their definition. */
    List<Route> routes();

    /** Sends everything one way. */
    static Router everythingTo(String destination) {
        Route only = Route.to(destination);
        return new Router() {
            @Override
            public Optional<Route> route(OutboxEvent event) {
                return Optional.of(only);
            }

            @Override
            public List<Route> routes() {
                return List.of(only);
            }
        };
    }
}
