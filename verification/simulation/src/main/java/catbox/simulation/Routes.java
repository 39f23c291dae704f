package catbox.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import outbox.model.OutboxEvent;
import outbox.relay.route.Route;
import outbox.relay.route.Router;

/** Where events go by their type: to one destination or to both. Somebody changes it while the run goes on. */
final class Routes implements Router {

    private final Map<String, List<Route>> byType = new LinkedHashMap<>();
    private final Map<String, List<String>> destinations = new LinkedHashMap<>();
    private String closed = "";

    static Routes one() {
        Routes ways = new Routes();
        ways.add("here", Route.to("here"));
        return ways;
    }

    static Routes several(World world) {
        Routes ways = new Routes();
        ways.add("here", Route.to("here").withWeight(world.random.nextInt(1, 4)));
        ways.add("there", Route.to("there").withWeight(world.random.nextInt(1, 4)));
        if (world.chance(0.6)) {
            ways.add("both", new Route("both", "here", 1), new Route("both", "there", 1));
        }
        return ways;
    }

    private void add(String type, Route... routes) {
        byType.put(type, List.of(routes));
        destinations.put(type, byType.get(type).stream().map(Route::destination).toList());
    }

    List<String> types() {
        return List.copyOf(byType.keySet());
    }

    /** Everywhere that an event of this type has to arrive, in whatever order. */
    List<String> destinationsOf(String type) {
        return destinations.getOrDefault(type, List.of());
    }

    List<String> destinations() {
        return byType.containsKey("there") ? List.of("here", "there") : List.of("here");
    }

    /** The same destinations in another order, and no way at all for one type until {@link #open}. */
    void shuffle(World world) {
        byType.replaceAll((type, routes) -> {
            List<Route> turned = new ArrayList<>(routes);
            Collections.reverse(turned);
            return List.copyOf(turned);
        });
        closed = world.anyOf(types());
    }

    /** Opens what was closed; false when nothing was. */
    boolean open() {
        boolean wasClosed = !closed.isEmpty();
        closed = "";
        return wasClosed;
    }

    @Override
    public List<Route> route(OutboxEvent event) {
        return event.eventType().equals(closed) ? List.of() : byType.getOrDefault(event.eventType(), List.of());
    }

    @Override
    public List<Route> routes() {
        return byType.values().stream().flatMap(List::stream).toList();
    }

    @Override
    public List<Rule> rules() {
        return List.of();
    }

    @Override
    public boolean fansOut() {
        return byType.values().stream().anyMatch(routes -> routes.size() > 1);
    }

    @Override
    public String toString() {
        return destinations.toString();
    }
}
