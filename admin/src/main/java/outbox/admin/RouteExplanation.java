package outbox.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.DestinationView;
import outbox.admin.view.RouteView;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorStore;
import outbox.spi.relay.Pause;
import outbox.util.JsonCodec;

/**
 * Whether the way of an event is open, as far as that is known: a running relay knows its routes and destinations, and
 * the store alone knows what is on hold.
 */
record RouteExplanation(
        OperatorStore store, List<Pause> holds, @Nullable RunningRelay live) {

    List<String> reasons(EventSummary event) {
        return live == null ? maybeOnHold() : known(event, live);
    }

    private List<String> maybeOnHold() {
        return holds.stream()
                .filter(hold -> hold.subject().kind() == Pause.Kind.ROUTE
                        || hold.subject().kind() == Pause.Kind.DESTINATION)
                .map(hold ->
                        PauseText.sentence(hold) + " Whether this event goes that way, only a running server knows.")
                .toList();
    }

    private List<String> known(EventSummary event, RunningRelay relay) {
        List<RouteView> routes = relay.routes(sample(event));
        Optional<RouteView> taken = routes.stream().filter(RouteView::taken).findFirst();
        if (taken.isEmpty()) {
            return List.of("No route takes event " + event.eventId() + " of type " + event.eventType()
                    + ": it waits until one does. Add a route for it.");
        }
        List<String> reasons = new ArrayList<>();
        RouteView route = taken.get();
        if (route.onHold()) {
            reasons.add(held(Pause.Kind.ROUTE, route.name()));
        }
        for (DestinationView destination : relay.destinations()) {
            if (route.targets().stream().anyMatch(target -> leadsTo(target, destination.name()))) {
                addDestination(destination, reasons);
            }
        }
        return reasons;
    }

    /** Whether a route takes it, if only one that drops it. */
    boolean hasRoute(EventSummary event, RunningRelay relay) {
        return relay.routes(sample(event)).stream().anyMatch(RouteView::taken);
    }

    /** Why an event is not delivered although it is done: its route drops it, as routes are now. */
    Optional<String> dropping(EventSummary event) {
        if (live == null) {
            return Optional.empty();
        }
        return live.routes(sample(event)).stream()
                .filter(RouteView::taken)
                .findFirst()
                .filter(route -> route.dropReason() != null)
                .map(route -> "route " + route.name() + " drops events like it (" + route.dropReason()
                        + "), if it did so then.");
    }

    /** What has to be said about a delivery by whoever does not know the routes. */
    String unlessDropped() {
        return live == null
                ? " If a route drops events like it, it was not delivered; only a running server knows."
                : "";
    }

    private static boolean leadsTo(String target, String destination) {
        return target.equals(destination) || target.startsWith(destination + "/");
    }

    private void addDestination(DestinationView destination, List<String> reasons) {
        if (destination.onHold()) {
            reasons.add(held(Pause.Kind.DESTINATION, destination.name()));
        }
        if (destination.isDown()) {
            reasons.add("Destination " + destination.name() + " is unavailable since " + destination.downSince()
                    + "; it is probed every few seconds. Last error: " + Phrases.error(destination.lastError())
                    + ". Delivery resumes automatically once it answers.");
        }
        for (DestinationView.Address address : destination.addresses()) {
            reasons.add("Address " + address.address() + " of destination " + destination.name()
                    + " is unavailable since " + address.since() + "; events that go there wait. Last error: "
                    + Phrases.error(address.lastError()) + '.');
        }
    }

    /** Not written down in the store, if the node's own configuration has paused it. */
    private String held(Pause.Kind kind, String name) {
        Pause.Subject subject = new Pause.Subject(kind, name);
        return holds.stream()
                .filter(hold -> hold.subject().equals(subject))
                .findFirst()
                .map(PauseText::sentence)
                .orElse("The server's configuration pauses " + PauseText.subject(subject)
                        + ". Change it there to let events go on.");
    }

    private RouteView.Sample sample(EventSummary event) {
        return new RouteView.Sample(
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                store.find(event.eventId())
                        .map(found -> headers(found.headersJson()))
                        .orElse(Map.of()));
    }

    private static Map<String, String> headers(@Nullable String json) {
        try {
            return json == null ? Map.of() : JsonCodec.decode(json);
        } catch (IllegalArgumentException unreadable) {
            return Map.of(); // As routes see it: what asks for a header does not match.
        }
    }
}
