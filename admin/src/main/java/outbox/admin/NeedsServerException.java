package outbox.admin;

import outbox.OutboxException;

/** Asked of a store alone, what only a running relay knows or can do. */
public final class NeedsServerException extends OutboxException {

    private static final long serialVersionUID = 1L;

    public NeedsServerException(Operation operation, String why) {
        super("\"" + operation.word() + "\" needs a running server, not the database alone: " + why);
    }
}
