package catbox.server.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import outbox.relay.config.RouteSettings;
import outbox.spi.Settings;

/** Reads the list of routes, and checks it against the sources and the destinations. */
final class RoutesReader {

    private final YamlDocument file;
    private final Set<String> sources;
    private final Set<String> destinations;

    RoutesReader(YamlDocument file, Set<String> sources, Set<String> destinations) {
        this.file = file;
        this.sources = new TreeSet<>(sources);
        this.destinations = new TreeSet<>(destinations);
    }

    /** The routes; empty after an error. */
    Optional<RouteSettings> read() {
        List<Section> routes = file.list("routes", "route");
        if (routes.isEmpty()) {
            return withoutRoutes();
        }
        // One by one first, so that each error has its line.
        List<RouteSettings> valid =
                routes.stream().flatMap(each -> each.read(this::alone).stream()).toList();
        return valid.size() == routes.size() ? together(routes) : Optional.empty();
    }

    private Optional<RouteSettings> withoutRoutes() {
        if (destinations.size() == 1) {
            return Optional.of(
                    RouteSettings.everythingTo(destinations.iterator().next()));
        }
        return error(
                destinations.isEmpty()
                        ? "there are no destinations; name one below destinations:"
                        : "there are no routes, and with several destinations " + destinations
                                + " they have to choose which events go to which");
    }

    private RouteSettings alone(Section route) {
        requireSource(file.settings(route));
        RouteSettings settings = RouteSettings.read(List.of(route.values()));
        settings.table().requireDestinations(destinations);
        return settings;
    }

    private void requireSource(Settings route) {
        String source = route.text("match.source").orElse("*");
        boolean pattern = source.contains("*") || source.contains("?");
        if (!pattern && !sources.contains(source)) {
            throw route.wrong("match.source", "names the source " + source + ", and the sources are " + sources);
        }
    }

    private Optional<RouteSettings> together(List<Section> routes) {
        try {
            RouteSettings settings =
                    RouteSettings.read(routes.stream().map(Section::values).toList());
            sources.stream()
                    .filter(source ->
                            settings.table().forSource(source).routes().isEmpty())
                    .forEach(source -> error("source " + source + ": no route takes its events"));
            return Optional.of(settings);
        } catch (IllegalArgumentException e) {
            return error(String.valueOf(e.getMessage()));
        }
    }

    private Optional<RouteSettings> error(String text) {
        file.addError("routes", text);
        return Optional.empty();
    }
}
