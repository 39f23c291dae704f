package catbox.server.access;

import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.spi.relay.Pause;

/**
 * A source, with the rights of one person. Pages and routes reach a source only through one of these, so none of them can
 * forget to check.
 */
public final class GuardedAdmin implements OutboxAdmin {

    private final OutboxAdmin admin;
    private final Principal person;

    public GuardedAdmin(OutboxAdmin admin, Principal person) {
        this.admin = admin;
        this.person = person;
    }

    /**
     * Checks the rights, and then carries out the operation.
     *
     * @throws ForbiddenException if a right is missing
     */
    @Override
    public <R> R run(Request<R> request) {
        person.require(needed(request));
        return admin.run(request);
    }

    /** A paused node is drained, however it was asked for. */
    private static Operation needed(Request<?> request) {
        boolean drains = switch (request) {
            case Request.Pause(Pause.Subject subject, String reason) -> subject.kind() == Pause.Kind.NODE;
            case Request.Resume(Pause.Subject subject) -> subject.kind() == Pause.Kind.NODE;
            default -> false;
        };
        return drains ? Operation.DRAIN : Operation.of(request);
    }
}
