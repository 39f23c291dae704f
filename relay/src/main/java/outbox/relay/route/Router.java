package outbox.relay.route;

import java.util.List;
import outbox.model.OutboxEvent;

/** Chooses the routes of an event. */
public interface Router {

    /**
     * The routes that the event takes, one after the other: most events take one. Empty when there is none, and then
     * the event waits until there is.
     */
    List<Route> route(OutboxEvent event);

    /** All routes, in the order of their definition. */
    List<Route> routes();

    /** What decides, in the order in which it is tried, for people to read. */
    List<Rule> rules();

    /**
     * One of the rules by which routes are chosen.
     *
     * @param match which events take it, in words
     * @param routes where to, in order; one that drops has a reason
     */
    record Rule(String name, String match, List<Route> routes) {}

    /** Whether any event takes more than one. */
    boolean fansOut();

    /** Sends everything to one destination. */
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
