package catbox.server.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.admin.RunningRelay;
import outbox.admin.view.DestinationView;
import outbox.admin.view.EventView;
import outbox.admin.view.RouteView;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.model.Outcome;
import outbox.relay.DestinationStatus;
import outbox.relay.Relay;
import outbox.relay.ResendResult;
import outbox.relay.observe.RecentDeliveries;
import outbox.relay.route.Route;
import outbox.relay.route.Router;
import outbox.retention.RetentionConfig;
import outbox.spi.operations.Finding;
import outbox.spi.relay.Pause;
import outbox.util.JsonCodec;

/** Shows operators the state of a source's running relay, and resends events through it. */
final class LiveSource implements RunningRelay {

    /** An operator waits this long at most, and sends the rest with the next request. */
    private static final Duration RESEND_MAX = Duration.ofSeconds(30);

    private final Source source;
    private final Relay relay;
    private final RecentDeliveries deliveries;
    private final SourceFindings findings;

    LiveSource(Source source, Relay relay, RecentDeliveries deliveries, SourceFindings findings) {
        this.source = source;
        this.relay = relay;
        this.deliveries = deliveries;
        this.findings = findings;
    }

    @Override
    public List<Finding> findings() {
        return findings.all();
    }

    @Override
    public Optional<Duration> keepsDone() {
        return source.plan().relay().retention().map(RetentionConfig::keepDone);
    }

    @Override
    public List<DestinationView> destinations() {
        return relay.status().destinations().entrySet().stream()
                .map(each -> view(each.getKey(), each.getValue()))
                .toList();
    }

    private DestinationView view(String name, DestinationStatus status) {
        String kind = Optional.ofNullable(source.destinations().get(name))
                .map(plan -> plan.kind())
                .orElse("unknown");
        return new DestinationView(
                name,
                kind,
                status.state().name().toLowerCase(Locale.ROOT),
                status.paused(),
                status.eventsInFlight(),
                status.since(),
                status.nextProbe(),
                status.lastError(),
                status.addresses().stream()
                        .map(each -> new DestinationView.Address(
                                each.address(), each.since(), each.nextProbe(), each.lastError()))
                        .toList());
    }

    // ---- routes --------------------------------------------------------------------------------------------------

    @Override
    public List<RouteView> routes(RouteView.@Nullable Sample sample) {
        Router router = relay.router();
        OutboxEvent event = sample == null ? null : event(sample);
        List<Route> taken = event == null ? List.of() : router.route(event);
        String takenName = taken.isEmpty() ? null : taken.getFirst().name();
        Set<Pause.Subject> pauses =
                relay.status().pauses().stream().map(Pause::subject).collect(Collectors.toUnmodifiableSet());
        return router.rules().stream()
                .map(rule -> view(
                        rule,
                        pauses.contains(new Pause.Subject(Pause.Kind.ROUTE, rule.name())),
                        event != null && rule.name().equals(takenName) ? event : null))
                .toList();
    }

    private static RouteView view(Router.Rule rule, boolean paused, @Nullable OutboxEvent taking) {
        String dropReason = rule.routes().stream()
                .map(Route::dropReason)
                .filter(reason -> reason != null)
                .findFirst()
                .orElse(null);
        return new RouteView(
                rule.name(),
                rule.match(),
                dropReason == null ? rule.routes().stream().map(Route::target).toList() : List.of(),
                dropReason,
                rule.routes().stream().mapToInt(Route::weight).findFirst().orElse(1),
                paused,
                taking != null,
                taking == null || dropReason != null
                        ? List.of()
                        : rule.routes().stream()
                                .map(route -> address(route, taking))
                                .toList());
    }

    private static String address(Route route, OutboxEvent event) {
        if (route.address() == null) {
            return route.destination();
        }
        try {
            return route.destination() + "/" + route.address().fill(event.toEnvelope());
        } catch (IllegalArgumentException e) {
            return route.destination() + ": " + e.getMessage(); // Delivery would fail for the same reason.
        }
    }

    private static OutboxEvent event(RouteView.Sample sample) {
        EventState state = new EventState(EventStatus.NEW, 0, Instant.EPOCH, Instant.EPOCH, null, null, null);
        return new OutboxEvent(
                "sample",
                sample.eventType(),
                sample.aggregateType(),
                sample.aggregateId(),
                sample.tenantId(),
                sample.aggregateId(),
                "{}",
                null,
                sample.headers().isEmpty() ? null : JsonCodec.encode(sample.headers()),
                Instant.EPOCH,
                null,
                state);
    }

    // ---- events --------------------------------------------------------------------------------------------------

    @Override
    public Optional<EventView.Arrival> arrival(String eventId) {
        return deliveries
                .find(eventId)
                .map(arrival -> new EventView.Arrival(
                        source.plan().relay().config().cluster().nodeId(),
                        arrival.destination(),
                        place(arrival.where()),
                        arrival.at()));
    }

    private static String place(Outcome.Delivered where) {
        return (where.place() == null ? "acknowledged" : where.place())
                + (where.partition() < 0 ? "" : ", partition " + where.partition())
                + (where.offset() < 0 ? "" : ", offset " + where.offset());
    }

    @Override
    public Resent resend(List<OutboxEvent> events, String destination) {
        try {
            ResendResult result = relay.resend(events, destination, RESEND_MAX);
            return new Resent(result.acknowledged(), result.failure());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Resent(0, "the server is stopping; some may have arrived");
        }
    }
}
