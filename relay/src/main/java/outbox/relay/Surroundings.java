package outbox.relay;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import outbox.relay.deliver.DestinationConfig;
import outbox.relay.deliver.DestinationGate;
import outbox.relay.deliver.DropDestination;
import outbox.relay.observe.RelayListener;
import outbox.relay.route.Route;
import outbox.relay.route.Router;
import outbox.util.TimeSource;

/** What the slots of a node work with. */
public record Surroundings(
        RelayConfig config,
        Router router,
        Map<String, DestinationGate> gates,
        TimeSource time,
        RelayListener listener) {

    public Surroundings {
        if (gates.containsKey(Route.DROP)) {
            throw new IllegalArgumentException("a destination must not be named " + Route.DROP
                    + ", which is where events go that are not to be delivered");
        }
        requireGates(router, gates);
        Map<String, DestinationGate> all = new LinkedHashMap<>(gates); // Keeps the order: runs must be repeatable.
        all.put(
                Route.DROP,
                new DestinationGate(Route.DROP, new DropDestination(), DestinationConfig.defaults(), time, listener));
        gates = Collections.unmodifiableMap(all);
    }

    private static void requireGates(Router router, Map<String, DestinationGate> gates) {
        for (Route route : router.routes()) {
            if (!gates.containsKey(route.destination()) && !route.destination().equals(Route.DROP)) {
                throw new IllegalArgumentException("route " + route.name() + " leads to destination "
                        + route.destination() + ", and the destinations are " + gates.keySet());
            }
        }
    }

    /** Refuses a router that leads to a destination that there is not. */
    void requireGates(Router other) {
        Map<String, DestinationGate> real = new LinkedHashMap<>(gates);
        real.remove(Route.DROP);
        requireGates(other, real);
    }

    /** The way into the destination of a route. */
    DestinationGate gate(Route route) {
        DestinationGate gate = gates.get(route.destination());
        if (gate == null) {
            throw new IllegalStateException("route " + route.name() + " leads to destination " + route.destination()
                    + ", and the destinations are " + gates.keySet());
        }
        return gate;
    }
}
