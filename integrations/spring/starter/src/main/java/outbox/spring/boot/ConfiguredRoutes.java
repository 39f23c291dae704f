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
        Map<String, DestinationSettings> plans = new LinkedHashMap<>();
        properties
                .destinations()
                .forEach((name, values) -> plans.put(
                        name,
                        complainingOf(
                                "outbox.destinations." + name,
                                () -> DestinationSettings.read(name, FlatSettings.of(values)))));
        return new ConfiguredRoutes(plans, complainingOf("outbox.routes", () -> routes(properties, plans.keySet())));
    }

    private static @Nullable RouteSettings routes(OutboxProperties properties, Set<String> destinations) {
        if (!properties.routes().isEmpty()) {
            RouteSettings plan = RouteSettings.read(FlatSettings.of(properties.routes()));
            plan.table().requireDestinations(destinations);
            return plan;
        }
        if (destinations.size() > 1) {
            throw new IllegalArgumentException(
                    "there are the destinations " + destinations + ", and no route says which events go where");
        }
        return destinations.isEmpty()
                ? null
                : RouteSettings.everythingTo(destinations.iterator().next());
    }

    /** Opens every destination; none stays open when one cannot be. */
    Map<String, Destination> open(DeliveryObserver observer) {
        Map<String, Destination> open = new LinkedHashMap<>();
        try {
            destinations.forEach((name, plan) -> open.put(
                    name, observer.around(name, complainingOf("outbox.destinations." + name, () -> plan.open("")))));
            return open;
        } catch (RuntimeException e) {
            open.values().forEach(Destination::close);
            throw e;
        }
    }

    /** What the supplier gives; its complaint is passed on with the name of the properties that it is about. */
    static <T extends @Nullable Object> T complainingOf(String properties, Supplier<T> made) {
        try {
            return made.get();
        } catch (InvalidOutboxPropertiesException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new InvalidOutboxPropertiesException(properties + ": " + e.getMessage(), e);
        }
    }
}
