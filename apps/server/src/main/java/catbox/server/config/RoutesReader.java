package catbox.server.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import outbox.relay.config.RouteSettings;

/** Reads the list of routes, and checks whether it fits the sources and the destinations. */
final class RoutesReader {

    private final YamlDocument document;
    private final ConfigErrors complaints;
    private final int line;

    RoutesReader(YamlDocument document, ConfigErrors complaints) {
        this.document = document;
        this.complaints = complaints;
        this.line = document.lineOf("routes");
    }

    /** The routes; empty when there is a complaint about them. */
    Optional<RouteSettings> read(Set<String> sources, Set<String> destinations) {
        List<Section> entries = document.list("routes", "route");
        int before = complaints.count();
        if (entries.isEmpty()) {
            return withoutRoutes(destinations);
        }
        for (Section entry : entries) {
            // One by one, so that each complaint has its line.
            entry.read(each -> alone(each, destinations));
            requireSource(entry, sources);
        }
        return complaints.count() > before ? Optional.empty() : together(entries, sources);
    }

    private Optional<RouteSettings> withoutRoutes(Set<String> destinations) {
        if (destinations.size() == 1) {
            return Optional.of(
                    RouteSettings.everythingTo(destinations.iterator().next()));
        }
        complaints.add(
                line,
                destinations.isEmpty()
                        ? "there are no destinations; name one below destinations:"
                        : "there are no routes, and with several destinations " + new TreeSet<>(destinations)
                                + " they have to say which event goes where");
        return Optional.empty();
    }

    private static void requireSource(Section entry, Set<String> sources) {
        String source = entry.value("match.source");
        boolean pattern = source.contains("*") || source.contains("?");
        if (!source.isEmpty() && !pattern && !sources.contains(source)) {
            entry.complain(
                    "match.source",
                    "route " + entry.value("name") + ": setting match.source names the source " + source
                            + ", and the sources are " + new TreeSet<>(sources));
        }
    }

    private static RouteSettings alone(Section route, Set<String> destinations) {
        RouteSettings plan = RouteSettings.read(List.of(route.values()));
        plan.table().requireDestinations(new TreeSet<>(destinations));
        return plan;
    }

    private Optional<RouteSettings> together(List<Section> routes, Set<String> sources) {
        try {
            RouteSettings plan =
                    RouteSettings.read(routes.stream().map(Section::values).toList());
            sources.stream()
                    .filter(source -> plan.table().forSource(source).routes().isEmpty())
                    .forEach(source -> complaints.add(line, "source " + source + ": no route takes its events"));
            return Optional.of(plan);
        } catch (IllegalArgumentException e) {
            complaints.add(line, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }
}
