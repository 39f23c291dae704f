package outbox.admin.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was done, or would be.
 *
 * @param changed how many
 * @param more whether there is more of it to do, by asking again
 * @param dryRun whether it was only counted
 * @param next continues behind what was done, where that is needed; null otherwise
 * @param pausedKeys keys that stay paused because of the dead events that were changed
 * @param says all of it, for people
 */
public record OperationResult(
        long changed,
        boolean more,
        boolean dryRun,
        @Nullable String next,
        List<String> pausedKeys,
        String says) {

    public OperationResult {
        pausedKeys = List.copyOf(pausedKeys);
    }

    /** One that leaves no key paused. */
    public OperationResult(long changed, boolean more, boolean dryRun, @Nullable String next, String says) {
        this(changed, more, dryRun, next, List.of(), says);
    }

    /** All of it was done. */
    public OperationResult(long changed, String says) {
        this(changed, false, false, null, says);
    }
}
