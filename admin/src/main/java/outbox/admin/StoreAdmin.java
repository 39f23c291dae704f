package outbox.admin;

import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import outbox.admin.view.DeadGroup;
import outbox.admin.view.DestinationView;
import outbox.admin.view.Done;
import outbox.admin.view.EventView;
import outbox.admin.view.KeyView;
import outbox.admin.view.NodeView;
import outbox.admin.view.Overview;
import outbox.admin.view.PartitionView;
import outbox.admin.view.Payload;
import outbox.admin.view.RouteView;
import outbox.model.Act;
import outbox.model.AuditEntry;
import outbox.model.AuditQuery;
import outbox.model.EventFilter;
import outbox.model.EventFilter.State;
import outbox.model.EventHistory;
import outbox.model.EventPage;
import outbox.model.EventQuery;
import outbox.model.EventStatus;
import outbox.model.EventSummary;
import outbox.model.Finding;
import outbox.model.Hold;
import outbox.model.OutboxEvent;
import outbox.model.OutboxStatistics;

/** The operations beside the store; with a running relay in the same process, those that need one too. */
public final class StoreAdmin implements OutboxAdmin {

    /** How far the figures of the overview are counted. */
    private static final int SAMPLE_MAX = 10_000;

    /** How much of a lane is shown; one more is read, so as to know whether there is more. */
    private static final int LANE_MAX = 100;

    private static final int DEAD_OF_KEY_MAX = 10;

    private final AdminStores stores;
    private final @Nullable LiveRelay live;
    private final String who;
    private final Doing doing;

    /**
     * For one person.
     *
     * @param live null beside a store alone
     * @param who is written to the audit
     */
    public StoreAdmin(AdminStores stores, @Nullable LiveRelay live, String who) {
        this.stores = stores;
        this.live = live;
        this.who = who;
        this.doing = new Doing(stores, live, who);
    }

    // ---- see -----------------------------------------------------------------------------------------------------

    @Override
    public Overview overview() {
        OutboxStatistics figures = stores.statistics().statistics(SAMPLE_MAX);
        ClusterPicture picture = ClusterPicture.of(stores);
        return new Overview(
                figures.pending(),
                figures.oldestPendingAge(),
                figures.dead(),
                figures.settled().latencies(),
                picture.alive().size(),
                picture.report().slots().size(),
                picture.partitionsWithoutOwner().size(),
                picture.holds());
    }

    @Override
    public EventPage events(EventQuery query) {
        return stores.events().events(query);
    }

    @Override
    public EventView event(String eventId) {
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
        WayExplanation way = new WayExplanation(stores.events(), picture.holds(), live);
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

    @Override
    public KeyView key(String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("a key has at least one character");
        }
        ClusterPicture picture = ClusterPicture.of(stores);
        List<EventSummary> read = stores.events().lane(key, LANE_MAX + 1);
        List<EventSummary> lane = read.subList(0, Math.min(read.size(), LANE_MAX));
        EventFilter deadOfKey = EventFilter.ALL.withState(State.DEAD).withKey(key);
        Integer partition = picture.partitionOf(key);
        return new KeyView(
                key,
                partition,
                picture.owner(partition).map(node -> node.member().nodeId()).orElse(null),
                picture.hold(Hold.Kind.KEY, key).orElse(null),
                lane.stream().filter(event -> key.equals(event.key())).toList(),
                read.size() > LANE_MAX,
                stores.events()
                        .events(new EventQuery(deadOfKey, null, DEAD_OF_KEY_MAX))
                        .events(),
                new LaneExplanation(key, lane, picture, new WayExplanation(stores.events(), picture.holds(), live))
                        .reasons());
    }

    @Override
    public List<DeadGroup> dead() {
        return DeadGroups.of(stores.events());
    }

    @Override
    public List<NodeView> nodes() {
        return ClusterPicture.of(stores).nodes();
    }

    @Override
    public List<PartitionView> partitions() {
        return ClusterPicture.of(stores).partitions();
    }

    @Override
    public List<DestinationView> destinations() {
        return live(Operation.DESTINATIONS, "destinations are known to the relays that deliver to them")
                .destinations();
    }

    @Override
    public List<RouteView> routes(RouteView.@Nullable Sample sample) {
        return live(Operation.ROUTES, "routes are set where relays run").routes(sample);
    }

    private LiveRelay live(Operation operation, String why) {
        if (live == null) {
            throw new NeedsServerException(operation, why);
        }
        return live;
    }

    @Override
    public List<Hold> holds() {
        return stores.cluster().holds();
    }

    @Override
    public List<AuditEntry> audit(AuditQuery query) {
        return stores.events().audit(query);
    }

    @Override
    public List<Finding> doctor() {
        return Doctoring.of(stores, live);
    }

    // ---- do ------------------------------------------------------------------------------------------------------

    @Override
    public Payload reveal(String eventId) {
        OutboxEvent event = find(eventId);
        stores.events().note(new Act(who, null), Operation.REVEAL.word(), eventId); // First: no look without it.
        return Payloads.of(event, stores.events().history(eventId).original());
    }

    @Override
    public Done replay(Request.Replay request) {
        return doing.replay(request);
    }

    @Override
    public Done pause(Request.Pause request) {
        return doing.pause(request);
    }

    @Override
    public Done resume(Hold.Subject subject) {
        return doing.resume(subject);
    }

    @Override
    public Done resend(Request.Resend request) {
        boolean isForReal = !request.dryRun();
        LiveRelay relay = isForReal ? live(Operation.RESEND, "events are sent by a running relay") : null;
        return new Resend(stores.events(), relay, who).carryOut(request);
    }

    @Override
    public Done edit(Request.Edit request) {
        return doing.edit(request);
    }

    @Override
    public Done discard(Request.Discard request) {
        return doing.discard(request);
    }

    @Override
    public Done drain(Request.Drain request) {
        return doing.drain(request);
    }

    @Override
    public Done rebalance(@Nullable Integer partitions) {
        return new Rebalancing(stores, who).carryOut(partitions);
    }

    @Override
    public Done purge(Request.Purge request) {
        return doing.purge(request);
    }
}
