package outbox.relay;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import outbox.relay.deliver.DestinationGate;
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
        gates = Collections.unmodifiableMap(
                new LinkedHashMap<>(gates)); // A copy that keeps its order: runs must be repeatable.
        for (Route route : router.routes()) {
            if (!gates.containsKey(route.destination())) {
                throw new IllegalArgumentException("route " + route.name() + " leads to destination "
                        + route.destination() + ", and the destinations are " + gates.keySet());
            }
        }
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
