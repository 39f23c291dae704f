package catbox.server.access;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation;
import outbox.admin.OutboxAdmin;
import outbox.admin.Request;
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
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.AuditQuery;
import outbox.spi.operations.EventPage;
import outbox.spi.operations.EventQuery;
import outbox.spi.operations.Finding;
import outbox.spi.relay.Pause;

/**
 * A source as far as one person may see and change it. Whoever serves people gets at a source only through one of these,
 * so no page and no route can forget to ask. Every method throws {@link ForbiddenException} for who may not.
 */
public final class GuardedAdmin implements OutboxAdmin {

    private final OutboxAdmin admin;
    private final Principal person;

    public GuardedAdmin(OutboxAdmin admin, Principal person) {
        this.admin = admin;
        this.person = person;
    }

    private OutboxAdmin allowed(Operation operation) {
        person.require(operation);
        return admin;
    }

    @Override
    public Overview overview() {
        return allowed(Operation.OVERVIEW).overview();
    }

    @Override
    public EventPage events(EventQuery query) {
        return allowed(Operation.EVENTS).events(query);
    }

    @Override
    public EventView event(String eventId) {
        return allowed(Operation.EVENT).event(eventId);
    }

    @Override
    public KeyView key(String key) {
        return allowed(Operation.KEY).key(key);
    }

    @Override
    public List<DeadGroup> dead() {
        return allowed(Operation.DEAD).dead();
    }

    @Override
    public List<NodeView> nodes() {
        return allowed(Operation.NODES).nodes();
    }

    @Override
    public List<PartitionView> partitions() {
        return allowed(Operation.PARTITIONS).partitions();
    }

    @Override
    public List<DestinationView> destinations() {
        return allowed(Operation.DESTINATIONS).destinations();
    }

    @Override
    public List<RouteView> routes(RouteView.@Nullable Sample sample) {
        return allowed(Operation.ROUTES).routes(sample);
    }

    @Override
    public List<Pause> holds() {
        return allowed(Operation.HOLDS).holds();
    }

    @Override
    public List<AuditEntry> audit(AuditQuery query) {
        return allowed(Operation.AUDIT).audit(query);
    }

    @Override
    public List<Finding> doctor() {
        return allowed(Operation.DOCTOR).doctor();
    }

    @Override
    public Payload reveal(String eventId) {
        return allowed(Operation.REVEAL).reveal(eventId);
    }

    @Override
    public OperationResult replay(Request.Replay request) {
        return allowed(Operation.REPLAY).replay(request);
    }

    @Override
    public OperationResult pause(Request.Pause request) {
        return allowed(orDrain(Operation.PAUSE, request.subject())).pause(request);
    }

    @Override
    public OperationResult resume(Pause.Subject subject) {
        return allowed(orDrain(Operation.RESUME, subject)).resume(subject);
    }

    /** A node on hold is drained, whichever way it was asked for. */
    private static Operation orDrain(Operation operation, Pause.Subject subject) {
        return subject.kind() == Pause.Kind.NODE ? Operation.DRAIN : operation;
    }

    @Override
    public OperationResult resend(Request.Resend request) {
        return allowed(Operation.RESEND).resend(request);
    }

    @Override
    public OperationResult edit(Request.Edit request) {
        return allowed(Operation.EDIT).edit(request);
    }

    @Override
    public OperationResult discard(Request.Discard request) {
        return allowed(Operation.DISCARD).discard(request);
    }

    @Override
    public OperationResult drain(Request.Drain request) {
        return allowed(Operation.DRAIN).drain(request);
    }

    @Override
    public OperationResult rebalance(@Nullable Integer partitions) {
        return allowed(Operation.REBALANCE).rebalance(partitions);
    }

    @Override
    public OperationResult purge(Request.Purge request) {
        return allowed(Operation.PURGE).purge(request);
    }
}
