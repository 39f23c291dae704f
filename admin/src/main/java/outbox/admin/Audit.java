package outbox.admin;

import org.jspecify.annotations.Nullable;
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore;

/** Writes the audit log for one operator. */
record Audit(OperatorStore store, String who) {

    /** What a store writes to the audit log itself, in the transaction of the change. */
    OperatorAction action(@Nullable String reason) {
        return new OperatorAction(who, reason == null || reason.isBlank() ? null : reason);
    }

    void note(Operation operation, String subject, @Nullable String detail) {
        String cut = detail == null ? null : Phrases.cut(detail, OperatorAction.REASON_CHARS_MAX);
        store.note(new OperatorAction(who, cut), operation.id(), subject);
    }

    /** Notes what was done before a failure, which stays the failure that callers see. */
    void noteFailure(RuntimeException failure, Operation operation, String subject, String detail) {
        try {
            note(operation, subject, detail);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
