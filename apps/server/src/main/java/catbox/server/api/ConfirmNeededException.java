package catbox.server.api;

import outbox.admin.Operation;

/** Something that cannot be undone was asked for, and not confirmed. */
final class ConfirmNeededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long count;

    ConfirmNeededException(Operation operation, long count, boolean more) {
        super("\"" + operation.word() + "\" would change " + events(count, more)
                + " for good; ask again with \"confirm\": true");
        this.count = count;
    }

    // A count that ended in the middle may have found none.
    private static String events(long count, boolean more) {
        return !more ? count + (count == 1 ? " event" : " events") : "at least " + count + " events, and maybe more,";
    }

    long count() {
        return count;
    }
}
