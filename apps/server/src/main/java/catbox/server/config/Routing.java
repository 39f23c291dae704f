package catbox.server.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.relay.config.DestinationSettings;
import outbox.relay.config.RouteSettings;
import outbox.relay.route.Router;
import outbox.spi.relay.Pause;

/** The destinations, routes and pauses, which can be changed while the server runs. */
public record Routing(Map<String, DestinationSettings> destinations, RouteSettings routes) {

    private static final String REASON = "paused by this node's configuration";

    public Routing {
        destinations = Map.copyOf(destinations);
    }

    /** The routes of a source's events. */
    public Router router(String source) {
        return routes.table().forSource(source);
    }

    /** The destinations that events of a source may go to. */
    public Map<String, DestinationSettings> destinationsOf(String source) {
        Set<String> names = router(source).routes().stream()
                .map(route -> route.destination())
                .collect(Collectors.toSet());
        Map<String, DestinationSettings> used = new LinkedHashMap<>(destinations);
        used.keySet().retainAll(names);
        return used;
    }

    /** Whether a destination that is open can stay open with its new settings. */
    public static boolean canStayOpen(DestinationSettings plan, @Nullable DestinationSettings before) {
        return before != null && differOnlyInPause(plan.values(), before.values());
    }

    /** Whether two sets of settings differ only in the pause. */
    static boolean differOnlyInPause(Map<String, String> one, Map<String, String> other) {
        return withoutPause(one).equals(withoutPause(other));
    }

    private static Map<String, String> withoutPause(Map<String, String> values) {
        Map<String, String> rest = new LinkedHashMap<>(values);
        rest.remove("paused");
        return rest;
    }

    /** Every pause of the configuration, with its reason. */
    public Map<Pause.Subject, String> pauses(boolean sourcePaused) {
        Map<Pause.Subject, String> pauses = new LinkedHashMap<>();
        if (sourcePaused) {
            pauses.put(new Pause.Subject(Pause.Kind.SOURCE, ""), REASON);
        }
        routes.paused().forEach(name -> pauses.put(new Pause.Subject(Pause.Kind.ROUTE, name), REASON));
        destinations.values().stream()
                .filter(DestinationSettings::paused)
                .forEach(plan -> pauses.put(new Pause.Subject(Pause.Kind.DESTINATION, plan.name()), REASON));
        return pauses;
    }
}
