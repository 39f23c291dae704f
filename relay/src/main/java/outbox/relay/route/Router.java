package outbox.relay.route;

import java.util.List;
import outbox.model.OutboxEvent;

/** Chooses the routes of an event. */
public interface Router {

    /**
     * The routes that the event takes, one after the other; most events take one. An event without a route waits until
     * there is one.
     */
    List<Route> route(OutboxEvent event);

    /** All routes, in the order of their definition. */
    List<Route> routes();

    /** The rules in the order in which they are tried, for people to read. */
    List<Rule> rules();

    /**
     * One rule of a router.
     *
     * @param match a description of its condition
     * @param routes one for each destination, in order; a route that drops has a reason
     */
    record Rule(String name, String match, List<Route> routes) {}

    /** Whether any event takes more than one route. */
    boolean fansOut();

    /** Sends every event to one destination. */
    static Router everythingTo(String destination) {
        List<Route> only = List.of(Route.to(destination));
        return new Router() {
            @Override
            public List<Route> route(OutboxEvent event) {
                return only;
            }

            @Override
            public List<Route> routes() {
                return only;
            }

            @Override
            public List<Rule> rules() {
                return List.of(new Rule(destination, "every event", only));
            }

            @Override
            public boolean fansOut() {
                return false;
            }
        };
    }
}
