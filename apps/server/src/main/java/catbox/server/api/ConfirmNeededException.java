package catbox.server.api;

import outbox.admin.Operation;

/** Something that cannot be undone was asked for, and not confirmed. */
final class ConfirmNeededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long count;

    ConfirmNeededException(Operation operation, long count, boolean more) {
        super("\"" + operation.word() + "\" would change " + (more ? "more than " : "") + count
                + (count == 1 ? " event" : " events") + " for good; ask again with \"confirm\": true");
        this.count = count;
    }

    long count() {
        return count;
    }
}
