package catbox.cli.connection;

import catbox.cli.output.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
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
import outbox.spi.operations.FindingCode;
import outbox.spi.relay.Pause;
import tools.jackson.databind.node.ObjectNode;

/** A source of a server, reached through its API. Confirms what destroys, because the command has asked before. */
final class HttpOperations implements OutboxAdmin {

    private final Api api;
    private final String path;

    HttpOperations(Api api, String source) {
        this.api = api;
        this.path = "/api/sources/"
                + URLEncoder.encode(source, StandardCharsets.UTF_8).replace("+", "%20") + "/";
    }

    @Override
    public Overview overview() {
        return see(Operation.OVERVIEW, new QueryText(), Overview.class);
    }

    @Override
    public EventPage events(EventQuery query) {
        QueryText text = new QueryText()
                .filter(query.filter())
                .add("after", query.after())
                .add("limit", query.limit());
        return see(Operation.EVENTS, text, EventPage.class);
    }

    @Override
    public EventView event(String eventId) {
        return see(Operation.EVENT, new QueryText().add("id", eventId), EventView.class);
    }

    @Override
    public KeyView key(String key) {
        return see(Operation.KEY, new QueryText().add("key", key), KeyView.class);
    }

    @Override
    public List<DeadGroup> dead() {
        return list(Operation.DEAD, new QueryText(), DeadGroup.class);
    }

    @Override
    public List<NodeView> nodes() {
        return list(Operation.NODES, new QueryText(), NodeView.class);
    }

    @Override
    public List<PartitionView> partitions() {
        return list(Operation.PARTITIONS, new QueryText(), PartitionView.class);
    }

    @Override
    public List<DestinationView> destinations() {
        return list(Operation.DESTINATIONS, new QueryText(), DestinationView.class);
    }

    @Override
    public List<RouteView> routes(RouteView.@Nullable Sample sample) {
        return list(Operation.ROUTES, new QueryText().sample(sample), RouteView.class);
    }

    @Override
    public List<Pause> holds() {
        return list(Operation.HOLDS, new QueryText(), Pause.class);
    }

    @Override
    public List<AuditEntry> audit(AuditQuery query) {
        QueryText text = new QueryText().add("before", query.before()).add("limit", query.limit());
        return list(Operation.AUDIT, text, AuditEntry.class);
    }

    @Override
    public List<Finding> doctor() {
        try {
            return list(Operation.DOCTOR, new QueryText(), Finding.class);
        } catch (TargetException e) {
            if (e.kind() != TargetException.Kind.NOT_CONNECTED) {
                throw e;
            }
            // The server cannot examine the source, and the reason for that is the finding.
            return List.of(
                    Finding.error(
                            FindingCode.SOURCE_NOT_CONNECTED,
                            "The server is not connected to the source",
                            String.valueOf(e.getMessage()),
                            "Fix the reported problem; the server reconnects automatically. Run the doctor with --database for more."));
        }
    }

    @Override
    public Payload reveal(String eventId) {
        return api.post(path + Operation.REVEAL.word(), Map.of("eventId", eventId), Payload.class);
    }

    @Override
    public OperationResult replay(Request.Replay request) {
        return act(Operation.REPLAY, request);
    }

    @Override
    public OperationResult pause(Request.Pause request) {
        return act(Operation.PAUSE, request);
    }

    @Override
    public OperationResult resume(Pause.Subject subject) {
        return act(Operation.RESUME, Map.of("subject", subject));
    }

    @Override
    public OperationResult resend(Request.Resend request) {
        return act(Operation.RESEND, request);
    }

    @Override
    public OperationResult edit(Request.Edit request) {
        return act(Operation.EDIT, request);
    }

    @Override
    public OperationResult discard(Request.Discard request) {
        return act(Operation.DISCARD, request);
    }

    @Override
    public OperationResult drain(Request.Drain request) {
        return act(Operation.DRAIN, request);
    }

    @Override
    public OperationResult rebalance(@Nullable Integer partitions) {
        return act(Operation.REBALANCE, partitions == null ? Map.of() : Map.of("partitions", partitions));
    }

    @Override
    public OperationResult purge(Request.Purge request) {
        return act(Operation.PURGE, request);
    }

    private <T> T see(Operation operation, QueryText query, Class<T> type) {
        return api.get(path + operation.word() + query, type);
    }

    private <T> List<T> list(Operation operation, QueryText query, Class<T> type) {
        return api.list(path + operation.word() + query, type);
    }

    private OperationResult act(Operation operation, Object request) {
        ObjectNode body = Json.MAPPER.valueToTree(request);
        if (operation.kind() == Operation.Kind.DESTROY) {
            body.put("confirm", true);
        }
        return api.post(path + operation.word(), body, OperationResult.class);
    }
}
