package catbox.server.api;

import org.jspecify.annotations.Nullable;
import outbox.admin.Operation;
import outbox.admin.OutboxAdmin;
import outbox.admin.Request;
import outbox.admin.view.OperationResult;
import outbox.spi.relay.Pause;

/** From a request to the method of the same name. The compiler sees to it that no operation is left out. */
final class Call {

    private Call() {}

    /** What reveal is asked with. */
    record Reveal(String eventId) {}

    /** What resume is asked with. */
    record Resume(Pause.Subject subject) {}

    /** What rebalance is asked with. */
    record Rebalance(@Nullable Integer partitions) {}

    static Object see(Operation operation, OutboxAdmin admin, Query query) {
        return switch (operation) {
            case OVERVIEW -> admin.overview();
            case EVENTS -> admin.events(query.events());
            case EVENT -> admin.event(query.given("id"));
            case KEY -> admin.key(query.required("key"));
            case DEAD -> admin.dead();
            case NODES -> admin.nodes();
            case PARTITIONS -> admin.partitions();
            case DESTINATIONS -> admin.destinations();
            case ROUTES -> admin.routes(query.sample());
            case HOLDS -> admin.holds();
            case AUDIT -> admin.audit(query.audit());
            case DOCTOR -> admin.doctor();
            case REVEAL, REPLAY, PAUSE, RESUME, RESEND, EDIT, DISCARD, DRAIN, REBALANCE, PURGE ->
                throw new IllegalStateException(operation + " shows nothing");
        };
    }

    static Object act(Operation operation, OutboxAdmin admin, Body body) {
        return switch (operation) {
            case REVEAL -> admin.reveal(body.as(Reveal.class).eventId());
            case REPLAY -> admin.replay(body.as(Request.Replay.class));
            case PAUSE -> admin.pause(body.as(Request.Pause.class));
            case RESUME -> admin.resume(body.as(Resume.class).subject());
            case RESEND -> admin.resend(body.as(Request.Resend.class));
            case EDIT -> edit(admin, body.as(Request.Edit.class), body.confirmed());
            case DISCARD -> discard(admin, body.as(Request.Discard.class), body.confirmed());
            case DRAIN -> admin.drain(body.as(Request.Drain.class));
            case REBALANCE -> admin.rebalance(body.as(Rebalance.class).partitions());
            case PURGE -> purge(admin, body.as(Request.Purge.class), body.confirmed());
            case OVERVIEW, EVENTS, EVENT, KEY, DEAD, NODES, PARTITIONS, DESTINATIONS, ROUTES, HOLDS, AUDIT, DOCTOR ->
                throw new IllegalStateException(operation + " does nothing");
        };
    }

    // ---- what destroys is confirmed, by who has been told how much of it there is
    // ---------------------------------------

    private static OperationResult edit(OutboxAdmin admin, Request.Edit request, boolean confirmed) {
        if (!confirmed) {
            admin.event(request.eventId()); // So that nobody is asked to confirm what cannot be.
            throw new ConfirmNeededException(Operation.EDIT, 1, false);
        }
        return admin.edit(request);
    }

    private static OperationResult discard(OutboxAdmin admin, Request.Discard request, boolean confirmed) {
        if (!confirmed && !request.dryRun()) {
            OperationResult would =
                    admin.discard(new Request.Discard(request.selection(), true, request.reason(), request.after()));
            throw new ConfirmNeededException(Operation.DISCARD, would.changed(), would.more());
        }
        return admin.discard(request);
    }

    private static OperationResult purge(OutboxAdmin admin, Request.Purge request, boolean confirmed) {
        if (!confirmed && !request.dryRun()) {
            OperationResult would = admin.purge(new Request.Purge(request.olderThan(), true));
            throw new ConfirmNeededException(Operation.PURGE, would.changed(), would.more());
        }
        return admin.purge(request);
    }
}
