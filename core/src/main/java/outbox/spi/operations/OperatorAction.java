package outbox.spi.operations;

import org.jspecify.annotations.Nullable;

/**
 * Who does something to the outbox, and why. What he does is written to the audit in the same transaction.
 *
 * @param who the operator
 * @param reason in his words; null where none is asked for
 */
public record OperatorAction(String who, @Nullable String reason) {

    public static final int REASON_CHARS_MAX = 1_000;

    public OperatorAction {
        if (who.isBlank()) {
            throw new IllegalArgumentException("who does it must be said");
        }
        if (reason != null && reason.length() > REASON_CHARS_MAX) {
            throw new IllegalArgumentException(
                    "a reason has at most " + REASON_CHARS_MAX + " characters, had " + reason.length());
        }
    }
}
