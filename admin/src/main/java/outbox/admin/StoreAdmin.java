package outbox.admin;

import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.view.EventView;
import outbox.admin.view.KeyView;
import outbox.admin.view.OperationResult;
import outbox.admin.view.Overview;
import outbox.admin.view.Payload;
import outbox.admin.view.RouteView;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.EventSummary;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OutboxStatistics;
import outbox.spi.relay.Pause;

/** The operations beside the store; with a running relay in the same process, those that need one too. */
public final class StoreAdmin implements OutboxAdmin {

    /** How far the figures of the overview are counted. */
    private static final int SAMPLE_MAX = 10_000;

    /** How much of a lane is shown; one more is read, so as to know whether there is more. */
    private static final int LANE_MAX = 100;

    private static final int DEAD_OF_KEY_MAX = 10;

    private final AdminStores stores;
    private final @Nullable RunningRelay live;
    private final String who;
    private final EventOperations operations;

    /**
     * For one person.
     *
     * @param live null beside a store alone
     * @param who is written to the audit
     */
    public StoreAdmin(AdminStores stores, @Nullable RunningRelay live, String who) {
        this.stores = stores;
        this.live = live;
        this.who = who;
        this.operations = new EventOperations(stores, live, who);
    }

    @Override
    @SuppressWarnings("unchecked") // Each record of a request names the type of its result.
    public <R> R run(Request<R> request) {
        return (R) result(request);
    }

    // The compiler checks that no operation is left out.
    private Object result(Request<?> request) {
        return switch (request) {
            case Request.Overview all -> overview();
            case Request.Events(EventQuery query) -> stores.events().events(query);
            case Request.Event(String eventId) -> event(eventId);
            case Request.Key(String key) -> key(key);
            case Request.Dead all -> DeadGroups.of(stores.events());
            case Request.Nodes all -> ClusterPicture.of(stores).nodes();
            case Request.Partitions all -> ClusterPicture.of(stores).partitions();
            case Request.Destinations all ->
                live(Operation.DESTINATIONS, "destinations are known to the relays that deliver to them")
                        .destinations();
            case Request.Routes(RouteView.Sample sample) ->
                live(Operation.ROUTES, "routes are set where relays run").routes(sample);
            case Request.Holds all -> stores.cluster().pauses();
            case Request.Audit(AuditQuery query) -> stores.events().audit(query);
            case Request.Doctor all -> Diagnosis.of(stores, live);
            case Request.Reveal(String eventId) -> reveal(eventId);
            case Request.Replay replay -> operations.replay(replay);
            case Request.Pause pause -> operations.pause(pause);
            case Request.Resume(Pause.Subject subject) -> operations.resume(subject);
            case Request.Resend resend -> resend(resend);
            case Request.Edit edit -> operations.edit(edit);
            case Request.Discard discard -> operations.discard(discard);
            case Request.Drain drain -> operations.drain(drain);
            case Request.Rebalance(Integer partitions) -> new Rebalancing(stores, who).carryOut(partitions);
            case Request.Purge purge -> operations.purge(purge);
        };
    }

    private Overview overview() {
        OutboxStatistics figures = stores.statistics().statistics(SAMPLE_MAX);
        ClusterPicture picture = ClusterPicture.of(stores);
        return new Overview(
                figures.pending(),
                figures.oldestPendingAge(),
                figures.dead(),
                figures.settled().latencies(),
                picture.alive().size(),
                picture.report().partitions().size(),
                picture.partitionsWithoutOwner().size(),
                picture.holds());
    }

    private EventView event(String eventId) {
        OutboxEvent event = find(eventId);
        EventSummary summary = summary(event);
        EventHistory history = stores.events().history(eventId);
        ClusterPicture picture = ClusterPicture.of(stores);
        String lane = event.orderingKey() == null ? eventId : event.orderingKey();
        return new EventView(
                summary,
                picture.partitionOf(lane),
                event.payloadSize(),
                event.maxAttempts(),
                live == null ? null : live.arrival(eventId).orElse(null),
                history.attempts(),
                history.acknowledged(),
                history.acts(),
                history.original() != null,
                explain(summary, lane, history, picture));
    }

    private String explain(EventSummary event, String lane, EventHistory history, ClusterPicture picture) {
        RouteExplanation way = new RouteExplanation(stores.events(), picture.holds(), live);
        if (event.state().status() == EventStatus.DONE) {
            return new DoneExplanation(event, way).text();
        }
        // Where no order is kept, no event waits for another.
        List<EventSummary> pending = picture.keepsOrder() ? stores.events().lane(lane, LANE_MAX + 1) : List.of(event);
        List<String> reasons = event.state().status() == EventStatus.DEAD
                ? List.of()
                : new LaneExplanation(lane, pending, picture, way).reasons();
        return new EventExplanation(event, history, pending, reasons, picture).text();
    }

    private OutboxEvent find(String eventId) {
        return stores.events()
                .find(eventId)
                .orElseThrow(() -> new NoSuchElementException("there is no event " + eventId
                        + ": it was never stored here, or was deleted after it was done"));
    }

    private static EventSummary summary(OutboxEvent event) {
        return new EventSummary(
                event.eventId(),
                0,
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                event.orderingKey(),
                event.occurredAt(),
                event.state());
    }

    private KeyView key(String key) {
        ClusterPicture picture = ClusterPicture.of(stores);
        List<EventSummary> read = stores.events().lane(key, LANE_MAX + 1);
        List<EventSummary> lane = read.subList(0, Math.min(read.size(), LANE_MAX));
        EventFilter deadOfKey = EventFilter.ALL.withState(State.DEAD).withKey(key);
        Integer partition = picture.partitionOf(key);
        return new KeyView(
                key,
                partition,
                picture.owner(partition).map(node -> node.member().nodeId()).orElse(null),
                picture.hold(Pause.Kind.KEY, key).orElse(null),
                lane.stream().filter(event -> key.equals(event.key())).toList(),
                read.size() > LANE_MAX,
                stores.events()
                        .events(new EventQuery(deadOfKey, null, DEAD_OF_KEY_MAX))
                        .events(),
                new LaneExplanation(key, lane, picture, new RouteExplanation(stores.events(), picture.holds(), live))
                        .reasons());
    }

    private RunningRelay live(Operation operation, String why) {
        if (live == null) {
            throw new NeedsServerException(operation, why);
        }
        return live;
    }

    private Payload reveal(String eventId) {
        OutboxEvent event = find(eventId);
        stores.events()
                .note(new OperatorAction(who, null), Operation.REVEAL.word(), eventId); // First: no look without it.
        return Payloads.of(event, stores.events().history(eventId).original());
    }

    private OperationResult resend(Request.Resend request) {
        boolean isForReal = !request.dryRun();
        RunningRelay relay = isForReal ? live(Operation.RESEND, "events are sent by a running relay") : null;
        return new Resend(stores.events(), relay, who).carryOut(request);
    }
}
