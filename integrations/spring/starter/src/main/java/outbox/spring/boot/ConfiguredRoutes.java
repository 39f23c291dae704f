package outbox.spring.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.relay.config.DestinationSettings;
import outbox.relay.config.RouteSettings;
import outbox.spi.Destination;

/**
 * The destinations and routes of the properties.
 *
 * @param routes null when there are no destinations
 */
record ConfiguredRoutes(
        Map<String, DestinationSettings> destinations,
        @Nullable RouteSettings routes) {

    static ConfiguredRoutes read(OutboxProperties properties) {
        Map<String, DestinationSettings> settings = new LinkedHashMap<>();
        properties
                .destinations()
                .forEach((name, values) -> settings.put(
                        name,
                        read(
                                "outbox.destinations." + name,
                                () -> DestinationSettings.read(name, FlatSettings.of(values)))));
        return new ConfiguredRoutes(settings, read("outbox.routes", () -> routes(properties, settings.keySet())));
    }

    private static @Nullable RouteSettings routes(OutboxProperties properties, Set<String> destinations) {
        if (!properties.routes().isEmpty()) {
            RouteSettings routes = RouteSettings.read(FlatSettings.of(properties.routes()));
            routes.table().requireDestinations(destinations);
            return routes;
        }
        if (destinations.size() > 1) {
            throw new IllegalArgumentException(
                    "there are the destinations " + destinations + ", and no route chooses which events go to which");
        }
        return destinations.isEmpty()
                ? null
                : RouteSettings.everythingTo(destinations.iterator().next());
    }

    /** Opens every destination. If one cannot be opened, none stays open. */
    Map<String, Destination> open(DeliveryObserver observer) {
        Map<String, Destination> open = new LinkedHashMap<>();
        try {
            destinations.forEach((name, settings) -> open.put(
                    name, observer.around(name, read("outbox.destinations." + name, () -> settings.open("")))));
            return open;
        } catch (RuntimeException e) {
            open.values().forEach(Destination::close);
            throw e;
        }
    }

    /** Returns the reader's value. Its errors get the name of the property that they concern. */
    static <T extends @Nullable Object> T read(String property, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw new InvalidOutboxPropertiesException(
                    message.startsWith(property) ? message : property + ": " + message, e);
        }
    }
}
