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

/**
 * Explains whether the route of an event is open, if that is known: a running relay knows its routes and
 * destinations, and the store alone knows the pauses.
 */
record RouteExplanation(
        OperatorStore store, List<Pause> pauses, @Nullable RunningRelay live) {

    List<String> reasons(EventSummary event) {
        return live == null ? possiblePauses() : known(event, live);
    }

    private List<String> possiblePauses() {
        return pauses.stream()
                .filter(pause -> pause.subject().kind() == Pause.Kind.ROUTE
                        || pause.subject().kind() == Pause.Kind.DESTINATION)
                .map(pause ->
                        PauseText.sentence(pause) + " Only a running server knows whether this event takes that route.")
                .toList();
    }

    private List<String> known(EventSummary event, RunningRelay relay) {
        RouteView route = taken(event, relay).orElse(null);
        if (route == null) {
            return List.of("No route matches event " + event.eventId() + " of type " + event.eventType()
                    + ": it waits until one does. Add a route for it.");
        }
        List<String> reasons = new ArrayList<>();
        if (route.paused()) {
            reasons.add(paused(Pause.Kind.ROUTE, route.name()));
        }
        for (DestinationView destination : relay.destinations()) {
            if (route.targets().stream().anyMatch(target -> leadsTo(target, destination.name()))) {
                addDestination(destination, reasons);
            }
        }
        return reasons;
    }

    /** Whether a route matches it, even if that route drops it. */
    boolean hasRoute(EventSummary event, RunningRelay relay) {
        return taken(event, relay).isPresent();
    }

    /** Why an event is not delivered although it is done: its route drops it, as routes are now. */
    Optional<String> dropping(EventSummary event) {
        return live == null
                ? Optional.empty()
                : taken(event, live)
                        .filter(route -> route.dropReason() != null)
                        .map(route -> "route " + route.name() + " drops such events now (" + route.dropReason() + ").");
    }

    /** What has to be added about a delivery where the routes are not known. */
    String unlessDropped() {
        return live == null ? " If a route drops such events, it was not delivered; only a running server knows." : "";
    }

    private Optional<RouteView> taken(EventSummary event, RunningRelay relay) {
        return relay.routes(sample(event)).stream().filter(RouteView::taken).findFirst();
    }

    private static boolean leadsTo(String target, String destination) {
        return target.equals(destination) || target.startsWith(destination + "/");
    }

    private void addDestination(DestinationView destination, List<String> reasons) {
        if (destination.paused()) {
            reasons.add(paused(Pause.Kind.DESTINATION, destination.name()));
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

    /** A pause that the store does not have comes from the node's own configuration. */
    private String paused(Pause.Kind kind, String name) {
        Pause.Subject subject = new Pause.Subject(kind, name);
        return pauses.stream()
                .filter(pause -> pause.subject().equals(subject))
                .findFirst()
                .map(PauseText::sentence)
                .orElse("The server's configuration pauses " + PauseText.subject(subject)
                        + ". Change it there to continue.");
    }

    private RouteView.Sample sample(EventSummary event) {
        return new RouteView.Sample(
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                store.find(event.eventId())
                        .map(found -> Payloads.headers(found.headersJson()))
                        .orElse(Map.of()));
    }
}
