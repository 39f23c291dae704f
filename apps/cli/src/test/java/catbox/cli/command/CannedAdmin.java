package catbox.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.DeadGroup;
import outbox.admin.view.DestinationView;
import outbox.admin.view.EventView;
import outbox.admin.view.KeyView;
import outbox.admin.view.NodeView;
import outbox.admin.view.OperationResult;
import outbox.admin.view.Overview;
import outbox.admin.view.PartitionView;
import outbox.admin.view.Payload;
import outbox.admin.view.RouteView;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.Finding;
import outbox.spi.operations.OutboxStatistics.TypeLatency;
import outbox.spi.relay.Pause;

/** A source in which everything happens once: it answers every question with an example, and notes what it is asked to do. */
final class CannedAdmin implements OutboxAdmin {

    static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    static final String DEAD_ID = "01JGGZ3Q8PAAAAAAAAAAAAAAAA";
    static final String PENDING_ID = "01JGGZ3Q8PBBBBBBBBBBBBBBBB";

    final List<Object> asked = new ArrayList<>();
    final Deque<OperationResult> answers = new ArrayDeque<>();
    List<Finding> findings = List.of();

    @Nullable
    RuntimeException failure;

    private static final Pause HOLD = new Pause(
            new Pause.Subject(Pause.Kind.KEY, "order-7"), "customer asked", "anna", NOW.minus(Duration.ofHours(3)));

    static EventSummary deadEvent() {
        return new EventSummary(
                DEAD_ID,
                41,
                "OrderPlaced",
                "Order",
                "7",
                null,
                "order-7",
                NOW.minusSeconds(301),
                new EventState(
                        EventStatus.DEAD,
                        3,
                        NOW.minusSeconds(300),
                        NOW.minusSeconds(300),
                        NOW.minusSeconds(60),
                        null,
                        "HTTP 422\n  from the shop"));
    }

    static EventSummary pendingEvent() {
        return new EventSummary(
                PENDING_ID,
                42,
                "OrderPaid",
                "Order",
                "7",
                "acme",
                "order-7",
                NOW.minusSeconds(30),
                new EventState(EventStatus.NEW, 0, NOW.minusSeconds(30), NOW.plusSeconds(90), null, null, null));
    }

    static AuditEntry entry() {
        return new AuditEntry(7, NOW.minusSeconds(20), "anna", "replay", DEAD_ID, "the shop is back");
    }

    private void note(Object question) {
        asked.add(question);
        if (failure != null) {
            throw failure;
        }
    }

    private OperationResult act(Object request) {
        note(request);
        return answers.isEmpty() ? new OperationResult(1, false, false, null, "It is done") : answers.remove();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <R> R run(Request<R> request) {
        return (R)
                switch (request) {
                    case Request.Overview all -> overview();
                    case Request.Events(EventQuery query) -> events(query);
                    case Request.Event(String eventId) -> event(eventId);
                    case Request.Key(String key) -> key(key);
                    case Request.Dead all -> dead();
                    case Request.Nodes all -> nodes();
                    case Request.Partitions all -> partitions();
                    case Request.Destinations all -> destinations();
                    case Request.Routes(RouteView.Sample sample) -> routes(sample);
                    case Request.Pauses all -> holds();
                    case Request.Audit(AuditQuery query) -> audit(query);
                    case Request.Doctor all -> doctor();
                    case Request.Reveal(String eventId) -> reveal(eventId);
                    case Request.Resume(Pause.Subject subject) -> act(subject);
                    case Request.Rebalance(Integer partitions) -> act("rebalance " + partitions);
                    default -> act(request);
                };
    }

    private Overview overview() {
        note("overview");
        return new Overview(
                new BoundedCount(1, false),
                Duration.ofSeconds(30),
                new BoundedCount(10_000, true),
                List.of(new TypeLatency("OrderPlaced", 1_000, Duration.ofMillis(12), Duration.ofMillis(1_500))),
                2,
                6,
                1,
                List.of(HOLD));
    }

    private EventPage events(EventQuery query) {
        note(query);
        return "second".equals(query.after())
                ? new EventPage(List.of(deadEvent()), null, false)
                : new EventPage(List.of(pendingEvent(), deadEvent()), "second", false);
    }

    private EventView event(String eventId) {
        note(eventId);
        if (!eventId.equals(DEAD_ID)) {
            throw new NoSuchElementException("there is no event " + eventId);
        }
        return new EventView(
                deadEvent(),
                3,
                120,
                10,
                new EventView.Arrival("node-1", "kafka", "orders-1@99", NOW.minusSeconds(61)),
                List.of(new EventHistory.FailedAttempt(3, "node-1", "shop", "HTTP 422", NOW.minusSeconds(60))),
                List.of(new EventHistory.Acknowledged("kafka:orders", NOW.minusSeconds(61))),
                List.of(entry()),
                true,
                "It died after 3 attempts.");
    }

    private KeyView key(String key) {
        note(key);
        return new KeyView(
                key,
                3,
                "node-1",
                HOLD,
                List.of(pendingEvent()),
                true,
                List.of(deadEvent()),
                List.of("The key is on hold."));
    }

    private List<DeadGroup> dead() {
        note("dead");
        return List.of(new DeadGroup(
                "HTTP * from the shop",
                new BoundedCount(12, false),
                List.of("OrderPlaced", "OrderPaid"),
                NOW.minusSeconds(300),
                NOW.minusSeconds(60),
                DEAD_ID));
    }

    private List<NodeView> nodes() {
        note("nodes");
        return List.of(
                new NodeView(
                        "node-1",
                        "s1",
                        true,
                        false,
                        1,
                        "0.1.0",
                        "10.0.0.1",
                        NOW.minus(Duration.ofDays(3)),
                        Duration.ofMillis(400),
                        List.of(0, 1, 3)),
                new NodeView(
                        "node-2",
                        "s2",
                        false,
                        true,
                        1,
                        "0.1.0",
                        "",
                        NOW.minus(Duration.ofDays(3)),
                        Duration.ofMinutes(5),
                        List.of()));
    }

    private List<PartitionView> partitions() {
        note("partitions");
        return List.of(
                new PartitionView(0, "node-1", 4, NOW.minusSeconds(600), false),
                new PartitionView(1, null, 5, null, true));
    }

    private List<DestinationView> destinations() {
        note("destinations");
        return List.of(
                new DestinationView(
                        "kafka",
                        "kafka",
                        "up",
                        false,
                        12,
                        null,
                        null,
                        null,
                        List.of(new DestinationView.Address(
                                "orders", NOW.minusSeconds(60), NOW.plusSeconds(4), "no such topic"))),
                new DestinationView(
                        "shop",
                        "http",
                        "down",
                        true,
                        0,
                        NOW.minusSeconds(600),
                        NOW.plusSeconds(3),
                        "HTTP 503",
                        List.of()),
                new DestinationView("lake", "file", "unknown", false, 0, null, null, null, List.of()));
    }

    private List<RouteView> routes(RouteView.@Nullable Sample sample) {
        note(sample == null ? "routes" : sample);
        boolean isOrder = sample != null && sample.eventType().startsWith("Order");
        return List.of(
                new RouteView(
                        "orders",
                        "type Order*",
                        List.of("kafka:orders-{tenant}"),
                        null,
                        2,
                        false,
                        isOrder,
                        isOrder ? List.of("kafka:orders-acme") : List.of()),
                new RouteView("noise", "type Debug", List.of(), "nobody reads it", 1, true, false, List.of()));
    }

    private List<Pause> holds() {
        note("holds");
        return List.of(HOLD);
    }

    private List<AuditEntry> audit(AuditQuery query) {
        note(query);
        return query.before() == null ? List.of(entry()) : List.of();
    }

    private List<Finding> doctor() {
        note("doctor");
        return findings;
    }

    private Payload reveal(String eventId) {
        note("reveal " + eventId);
        Payload original = new Payload("{\"a\":1}", null, Map.of(), null);
        return new Payload("{\"a\":2}", null, Map.of("tenant", "acme"), original);
    }
}
