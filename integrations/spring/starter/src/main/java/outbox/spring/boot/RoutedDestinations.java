package outbox.spring.boot;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import outbox.DestinationUnavailableException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.model.Delivery;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.registry.DestinationListener;
import outbox.registry.Takers;
import outbox.relay.config.DestinationSettings;
import outbox.relay.config.RouteSettings;
import outbox.relay.route.Route;
import outbox.relay.route.Router;
import outbox.spi.Destination;
import outbox.spi.TimeSource;
import outbox.util.JsonCodec;

/**
 * Delivers the dispatcher's events along the routes: to the destinations of an event one after the other. When one
 * fails, the event goes to all of them again. When one is unavailable, only that one is repeated: the destinations that
 * have taken the event do not receive it again.
 */
final class RoutedDestinations implements EventListener, AutoCloseable {

    private static final Set<String> RELAY_SETTINGS =
            Set.of("paused", "events-per-second-max", "breaker-failures", "breaker-rest", "breaker-rest-max");

    private final Map<String, Destination> destinations;
    private final Map<String, EventListener> listeners = new LinkedHashMap<>();
    private final Takers<String> takers = new Takers<>();
    private final Router router;
    private final Predicate<String> hasListener;

    /**
     * @param hasListener whether an event type has another listener
     */
    RoutedDestinations(ConfiguredRoutes configured, DeliveryObserver observer, Predicate<String> hasListener) {
        RouteSettings routes = Objects.requireNonNull(configured.routes(), "routes");
        requireNoRelaySettings(configured, routes);
        this.router = routes.table().router();
        this.hasListener = hasListener;
        this.destinations = configured.open(observer);
        destinations.forEach((name, destination) -> listeners.put(
                name,
                new DestinationListener(
                        name,
                        destination,
                        settings(configured, name).treatment().deadline(),
                        TimeSource.SYSTEM)));
    }

    private static DestinationSettings settings(ConfiguredRoutes configured, String name) {
        return Objects.requireNonNull(configured.destinations().get(name), name);
    }

    // Checked at start, because only the destination would notice that a limit is not kept.
    private static void requireNoRelaySettings(ConfiguredRoutes configured, RouteSettings routes) {
        for (DestinationSettings destination : configured.destinations().values()) {
            PropertyNames names = PropertyNames.ofDestination(destination.name());
            List<String> given = destination.values().keySet().stream()
                    .filter(RELAY_SETTINGS::contains)
                    .map(names::propertyOf)
                    .toList();
            if (!given.isEmpty()) {
                throw new InvalidOutboxPropertiesException(names.prefix() + ": " + given
                        + " are a relay's settings, and outbox.delivery is dispatcher; remove them, or set"
                        + " outbox.delivery to relay");
            }
        }
        if (!routes.paused().isEmpty()) {
            throw new InvalidOutboxPropertiesException(
                    "outbox.routes: " + routes.paused() + " are paused, which only a"
                            + " relay can do, and outbox.delivery is dispatcher; remove paused, or set outbox.delivery to relay");
        }
    }

    @Override
    public void onEvent(EventEnvelope event) throws Exception {
        onDelivery(new Delivery(event, 1));
    }

    @Override
    public void onDelivery(Delivery delivery) throws Exception {
        EventEnvelope event = delivery.event();
        List<Route> routes = router.route(rowOf(event));
        if (routes.isEmpty() && !hasListener.test(event.eventType())) {
            throw new IllegalStateException(
                    "no listener is registered for event type " + event.eventType() + ", and no route matches it");
        }
        Set<String> taken = new HashSet<>(takers.take(event.eventId()));
        try {
            for (Route route : routes) {
                if (!taken.contains(route.target())) {
                    deliver(delivery, route);
                    taken.add(route.target());
                }
            }
        } catch (DestinationUnavailableException e) {
            takers.keep(event.eventId(), taken);
            throw e;
        }
    }

    private void deliver(Delivery delivery, Route route) throws Exception {
        EventListener listener = listeners.get(route.destination());
        if (listener != null) { // Without a listener the route drops the event.
            EventEnvelope event = delivery.event();
            String address = route.address() == null ? null : route.address().fill(event);
            listener.onDelivery(new Delivery(event, delivery.attempt(), address, delivery.partition()));
        }
    }

    /**
     * Converts an event for the router, which reads rows. The state is arbitrary, because routes do not depend on it.
     */
    private static OutboxEvent rowOf(EventEnvelope event) {
        return new OutboxEvent(
                event.eventId(),
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                event.orderingKey(),
                null,
                null,
                event.headers().isEmpty() ? null : JsonCodec.encode(event.headers()),
                event.occurredAt(),
                null,
                new EventState(EventStatus.NEW, 0, event.occurredAt(), event.occurredAt(), null, null, null));
    }

    @Override
    public void close() {
        destinations.values().forEach(Destination::close);
    }
}
