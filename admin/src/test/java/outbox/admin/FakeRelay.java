package outbox.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.DestinationView;
import outbox.admin.view.EventView;
import outbox.admin.view.RouteView;
import outbox.model.OutboxEvent;
import outbox.spi.operations.Finding;

/** A running relay that knows what a test sets and sends to a list. */
final class FakeRelay implements RunningRelay {

    final List<DestinationView> destinations = new ArrayList<>();
    final List<RouteView> routes = new ArrayList<>();
    final List<Finding> findings = new ArrayList<>();
    final Map<String, EventView.Arrival> arrivals = new HashMap<>();
    final List<String> sent = new ArrayList<>();

    @Nullable
    Duration keepsDone;

    int refusesAfter = Integer.MAX_VALUE;

    @Nullable
    RuntimeException failure;

    RouteView.@Nullable Sample lastSample;

    FakeRelay() {
        destination("kafka", "up", false, null);
        route("all", true, false);
    }

    void destination(String name, String state, boolean onHold, @Nullable String error) {
        destinations.removeIf(each -> each.name().equals(name));
        destinations.add(new DestinationView(
                name,
                "kafka",
                state,
                onHold,
                0,
                state.equals(DestinationView.DOWN) ? Instant.EPOCH : null,
                null,
                error,
                List.of()));
    }

    void route(String name, boolean taken, boolean onHold) {
        routes.clear();
        routes.add(new RouteView(name, "every event", List.of("kafka/orders"), null, 1, onHold, taken, List.of()));
    }

    @Override
    public List<DestinationView> destinations() {
        return List.copyOf(destinations);
    }

    @Override
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    @Override
    public Optional<Duration> keepsDone() {
        return Optional.ofNullable(keepsDone);
    }

    @Override
    public List<RouteView> routes(RouteView.@Nullable Sample sample) {
        lastSample = sample;
        return List.copyOf(routes);
    }

    @Override
    public Optional<EventView.Arrival> arrival(String eventId) {
        return Optional.ofNullable(arrivals.get(eventId));
    }

    @Override
    public Resent resend(List<OutboxEvent> events, String destination) {
        if (destinations.stream().noneMatch(each -> each.name().equals(destination))) {
            throw new NoSuchElementException("there is no destination " + destination);
        }
        if (failure != null) {
            throw failure;
        }
        int count = 0;
        for (OutboxEvent event : events) {
            if (sent.size() >= refusesAfter) {
                return new Resent(count, "the broker said no");
            }
            sent.add(event.eventId());
            count++;
        }
        return new Resent(count, null);
    }
}
