package catbox.server.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.model.Hold;
import outbox.relay.config.DestinationPlan;
import outbox.relay.config.RoutePlan;
import outbox.relay.route.Router;

/** Where events go: what can be changed while the server runs. */
public record Routing(Map<String, DestinationPlan> destinations, RoutePlan routes) {

    private static final String REASON = "paused by this node's configuration";

    public Routing {
        destinations = Map.copyOf(destinations);
    }

    /** The ways of the events of a source. */
    public Router router(String source) {
        return routes.table().forSource(source);
    }

    /** The destinations that events of a source may go to. */
    public Map<String, DestinationPlan> destinationsOf(String source) {
        Set<String> names = router(source).routes().stream()
                .map(route -> route.destination())
                .collect(Collectors.toSet());
        Map<String, DestinationPlan> used = new LinkedHashMap<>(destinations);
        used.keySet().retainAll(names);
        return used;
    }

    /** Whether a destination that is open need not be opened anew. */
    public static boolean opensAlike(DestinationPlan plan, @Nullable DestinationPlan before) {
        return before != null && differOnlyInPause(plan.values(), before.values());
    }

    /** Whether nothing but the pause differs between two sets of settings. */
    static boolean differOnlyInPause(Map<String, String> one, Map<String, String> other) {
        return withoutPause(one).equals(withoutPause(other));
    }

    private static Map<String, String> withoutPause(Map<String, String> values) {
        Map<String, String> rest = new LinkedHashMap<>(values);
        rest.remove("paused");
        return rest;
    }

    /** Everything that nothing is to go through for now. */
    public Map<Hold.Subject, String> pauses(boolean sourcePaused) {
        Map<Hold.Subject, String> pauses = new LinkedHashMap<>();
        if (sourcePaused) {
            pauses.put(new Hold.Subject(Hold.Kind.SOURCE, ""), REASON);
        }
        routes.paused().forEach(name -> pauses.put(new Hold.Subject(Hold.Kind.ROUTE, name), REASON));
        destinations.values().stream()
                .filter(DestinationPlan::paused)
                .forEach(plan -> pauses.put(new Hold.Subject(Hold.Kind.DESTINATION, plan.name()), REASON));
        return pauses;
    }
}
