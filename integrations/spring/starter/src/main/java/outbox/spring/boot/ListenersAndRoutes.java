package outbox.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import outbox.model.OutboxEvent;
import outbox.relay.RelayBuilder;
import outbox.relay.route.Route;
import outbox.relay.route.Router;

/**
 * Delivers an event to the listeners of its type and along its routes. It is done when all of them have taken it.
 *
 * @param received whether an event type has a listener
 */
record ListenersAndRoutes(Predicate<String> received, Router router) implements Router {

    private static final Route LISTENERS = Route.to(RelayBuilder.LISTENERS);

    @Override
    public List<Route> route(OutboxEvent event) {
        List<Route> routes = router.route(event);
        return received.test(event.eventType()) ? withListeners(routes) : routes;
    }

    @Override
    public List<Route> routes() {
        return withListeners(router.routes());
    }

    @Override
    public List<Rule> rules() {
        List<Rule> rules = new ArrayList<>(router.rules());
        rules.addFirst(
                new Rule(LISTENERS.name(), "event types that a listener receives, in addition", List.of(LISTENERS)));
        return rules;
    }

    @Override
    public boolean fansOut() {
        return true;
    }

    private static List<Route> withListeners(List<Route> routes) {
        List<Route> all = new ArrayList<>(routes);
        all.addFirst(LISTENERS);
        return all;
    }
}
