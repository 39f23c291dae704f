package outbox.relay.route;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.message.Template;
import outbox.model.OutboxEvent;

/**
 * An ordered list of routes: an event takes the first that matches. A route leads to one destination, to several one
 * after the other, or drops events for a reason.
 *
 * <p>An event for several destinations is done when all of them have acknowledged. They receive it in the listed order,
 * and a failed attempt is repeated only for those that have not acknowledged, even after a crash.
 */
public final class RouteTable {

    private final List<Rule> rules;

    /**
     * One entry of the list.
     *
     * @param routes one for each destination, in order
     */
    private record Rule(String name, Match match, List<Route> routes) {}

    private RouteTable(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The destinations of all routes, in order. */
    public Set<String> destinations() {
        Set<String> names = new LinkedHashSet<>();
        rules.forEach(rule -> rule.routes().forEach(route -> names.add(route.destination())));
        names.remove(Route.DROP);
        return names;
    }

    /**
     * Refuses routes to unknown destinations.
     *
     * @throws IllegalArgumentException naming every such route
     */
    public void requireDestinations(Collection<String> known) {
        List<String> errors = new ArrayList<>();
        for (Rule rule : rules) {
            for (Route route : rule.routes()) {
                if (!route.drops() && !known.contains(route.destination())) {
                    errors.add("route " + rule.name() + " leads to destination " + route.destination()
                            + ", and the destinations are " + known);
                }
            }
        }
        refuse(errors);
    }

    /** The routes of a source without a name. */
    public Router router() {
        return forSource("");
    }

    /** The routes of the events of one source. */
    public Router forSource(String source) {
        List<Rule> ofSource =
                rules.stream().filter(rule -> rule.match().isOf(source)).toList();
        List<Route> routes =
                ofSource.stream().flatMap(rule -> rule.routes().stream()).toList();
        boolean fansOut = ofSource.stream().anyMatch(rule -> rule.routes().size() > 1);
        return new Router() {
            @Override
            public List<Route> route(OutboxEvent event) {
                for (RouteTable.Rule rule : ofSource) {
                    if (rule.match().matches(event)) {
                        return rule.routes();
                    }
                }
                return List.of();
            }

            @Override
            public List<Route> routes() {
                return routes;
            }

            @Override
            public List<Router.Rule> rules() {
                return ofSource.stream()
                        .map(rule -> new Router.Rule(rule.name(), rule.match().toString(), rule.routes()))
                        .toList();
            }

            @Override
            public boolean fansOut() {
                return fansOut;
            }
        };
    }

    /** The rules, one per line, for people. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Rule rule : rules) {
            text.append(rule.name()).append(": ").append(rule.match()).append(" → ");
            text.append(targets(rule)).append('\n');
        }
        return text.toString();
    }

    private static String targets(Rule rule) {
        return String.join(
                ", ",
                rule.routes().stream()
                        .map(route -> route.drops() ? "dropped: " + route.dropReason() : route.target())
                        .toList());
    }

    private static void refuse(List<String> errors) {
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", errors));
        }
    }

    /**
     * A destination of a route, with an address.
     *
     * @param address a {@link Template}, such as {@code orders.{aggregateType}}; null: the destination's own setting
     */
    public record Target(String destination, @Nullable String address) {

        public static Target to(String destination) {
            return new Target(destination, null);
        }

        public static Target to(String destination, String address) {
            return new Target(destination, address);
        }
    }

    /** Collects routes in their order; {@link #build} checks them together. */
    public static final class Builder {

        private final List<Rule> rules = new ArrayList<>();
        private final List<String> errors = new ArrayList<>();
        private final Set<String> names = new HashSet<>();

        private Builder() {}

        public Builder route(String name, Match match, Target... targets) {
            return route(name, match, 1, targets);
        }

        /**
         * Adds a route.
         *
         * @param weight its share of scarce resources, relative to the others
         */
        public Builder route(String name, Match match, int weight, Target... targets) {
            if (targets.length == 0) {
                errors.add("route " + name + " leads nowhere: name a destination, or drop its events with a reason");
            }
            List<Route> routes = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (Target target : targets) {
                Route route = routeOf(name, weight, target);
                if (route != null && !seen.add(route.target())) {
                    errors.add("route " + name + " leads to " + route.target() + " twice");
                }
                if (route != null) {
                    routes.add(route);
                }
            }
            return add(new Rule(name, match, List.copyOf(routes)));
        }

        private @Nullable Route routeOf(String name, int weight, Target target) {
            if (target.destination().equals(Route.DROP)) {
                errors.add("route " + name + ": drop is no destination; drop its events with a reason");
                return null;
            }
            try {
                Template address = target.address() == null ? null : Template.parse(target.address());
                return new Route(name, target.destination(), weight, address);
            } catch (IllegalArgumentException e) {
                String error = String.valueOf(e.getMessage());
                errors.add(error.contains("route " + name) ? error : "route " + name + ": " + error);
                return null;
            }
        }

        /** Adds a route whose events are done without being delivered. */
        public Builder drop(String name, Match match, String reason) {
            if (reason.isBlank()) {
                errors.add("route " + name + " drops events and does not say why");
            }
            return add(new Rule(name, match, List.of(Route.drop(name, reason))));
        }

        /** Adds the route of all events that match no other. */
        public Builder otherwise(Target... targets) {
            return route("default", Match.all(), targets);
        }

        private Builder add(Rule rule) {
            if (rule.name().isBlank()) {
                errors.add("route number " + (rules.size() + 1) + " has no name");
            } else if (!names.add(rule.name())) {
                errors.add("there are two routes named " + rule.name());
            }
            for (Rule earlier : rules) {
                if (earlier.match().isEverything() && earlier.match().coversSourceOf(rule.match())) {
                    errors.add("route " + rule.name() + " is never taken: route " + earlier.name()
                            + " before it takes every event");
                    break;
                }
            }
            rules.add(rule);
            return this;
        }

        /**
         * The list.
         *
         * @throws IllegalArgumentException that names every fault
         */
        public RouteTable build() {
            if (rules.isEmpty()) {
                errors.add("there are no routes");
            }
            refuse(errors);
            return new RouteTable(rules);
        }
    }
}
