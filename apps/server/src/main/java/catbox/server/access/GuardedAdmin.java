package catbox.server.access;

import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.spi.relay.Pause;

/** Checks a principal's rights before each operation on a source. Pages and routes have no other access to sources. */
public final class GuardedAdmin implements OutboxAdmin {

    private final OutboxAdmin admin;
    private final Principal principal;

    public GuardedAdmin(OutboxAdmin admin, Principal principal) {
        this.admin = admin;
        this.principal = principal;
    }

    /**
     * Runs the operation if the rights allow it.
     *
     * @throws ForbiddenException if a right is missing
     */
    @Override
    public <R> R run(Request<R> request) {
        principal.require(neededFor(request));
        return admin.run(request);
    }

    /** To pause or resume a node is to drain it, whichever operation asks for it. */
    private static Operation neededFor(Request<?> request) {
        boolean drains = switch (request) {
            case Request.Pause(Pause.Subject subject, String reason) -> subject.kind() == Pause.Kind.NODE;
            case Request.Resume(Pause.Subject subject) -> subject.kind() == Pause.Kind.NODE;
            default -> false;
        };
        return drains ? Operation.DRAIN : Operation.of(request);
    }
}
