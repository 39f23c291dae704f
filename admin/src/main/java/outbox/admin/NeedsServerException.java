package outbox.admin;

import outbox.OutboxException;

/** An operation needs a running relay, and only the store is available. */
public final class NeedsServerException extends OutboxException {

    private static final long serialVersionUID = 1L;

    public NeedsServerException(Operation operation, String why) {
        super("\"" + operation.id() + "\" needs a running server, not the database alone: " + why);
    }
}
