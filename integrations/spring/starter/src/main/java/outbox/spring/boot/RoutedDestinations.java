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
 * The dispatcher's listener that takes events the way that the routes say: to several destinations one after the other,
 * and all of them again when one has failed. One that is unavailable is waited for by itself: those that have taken the
 * event are not given it again.
 */
final class RoutedDestinations implements EventListener, AutoCloseable {

    private final Map<String, Destination> destinations;
    private final Map<String, EventListener> listeners = new LinkedHashMap<>();
    private final Takers<String> takers = new Takers<>();
    private final Router router;
    private final Predicate<String> isHeard;

    /** @param isHeard whether an event type has a listener besides this one */
    RoutedDestinations(ConfiguredRoutes ways, DeliveryObserver observer, Predicate<String> isHeard) {
        RouteSettings routes = Objects.requireNonNull(ways.routes(), "routes");
        requireNothingOfTheRelays(ways, routes);
        this.router = routes.table().router();
        this.isHeard = isHeard;
        this.destinations = ways.open(observer);
        destinations.forEach((name, destination) -> listeners.put(
                name,
                new DestinationListener(
                        name, destination, plan(ways, name).treatment().deadline(), TimeSource.SYSTEM)));
    }

    private static DestinationSettings plan(ConfiguredRoutes ways, String name) {
        return Objects.requireNonNull(ways.destinations().get(name), name);
    }

    // Said at start, because a limit that is not kept would be noticed by the destination only.
    private static void requireNothingOfTheRelays(ConfiguredRoutes ways, RouteSettings routes) {
        for (DestinationSettings plan : ways.destinations().values()) {
            Map<String, String> given = new LinkedHashMap<>(plan.values());
            given.keySet()
                    .retainAll(List.of(
                            "paused", "events-per-second-max", "breaker-failures", "breaker-rest", "breaker-rest-max"));
            if (!given.isEmpty()) {
                throw new InvalidOutboxPropertiesException("outbox.destinations." + plan.name() + ": " + given.keySet()
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
        if (routes.isEmpty() && !isHeard.test(event.eventType())) {
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
        if (listener != null) { // Otherwise the route drops what takes it.
            EventEnvelope event = delivery.event();
            String address = route.address() == null ? null : route.address().fill(event);
            listener.onDelivery(new Delivery(event, delivery.attempt(), address, delivery.slot()));
        }
    }

    /** Routes look at rows. Of a row that is being delivered its state is of no interest to them. */
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
