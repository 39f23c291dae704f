package outbox.spi.operations;

import org.jspecify.annotations.Nullable;

/**
 * The author of a change and the reason for it. Every change is written to the audit in the same transaction.
 *
 * @param who the operator
 * @param reason in the operator's words; null if none is required
 */
public record OperatorAction(String who, @Nullable String reason) {

    public static final int REASON_CHARS_MAX = 1_000;

    public OperatorAction {
        if (who.isBlank()) {
            throw new IllegalArgumentException("the operator must not be blank");
        }
        if (reason != null && reason.length() > REASON_CHARS_MAX) {
            throw new IllegalArgumentException(
                    "a reason has at most " + REASON_CHARS_MAX + " characters, had " + reason.length());
        }
    }
}
