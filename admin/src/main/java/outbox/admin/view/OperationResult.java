package outbox.admin.view;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.BoundedCount;

/**
 * What was done, or would be.
 *
 * @param changed how many
 * @param more whether there is more to do, by repeating the request
 * @param dryRun whether it was only counted
 * @param next where the next request continues; null where that is not needed
 * @param pausedKeys keys that stay paused because of the dead events that were changed
 * @param message for people
 * @param incomplete whether it ended early because something failed; the message names the failure
 */
public record OperationResult(
        long changed,
        boolean more,
        boolean dryRun,
        @Nullable String next,
        List<String> pausedKeys,
        String message,
        boolean incomplete) {

    public OperationResult {
        pausedKeys = List.copyOf(pausedKeys);
    }

    /** One that no failure ended early. */
    public OperationResult(
            long changed,
            boolean more,
            boolean dryRun,
            @Nullable String next,
            List<String> pausedKeys,
            String message) {
        this(changed, more, dryRun, next, pausedKeys, message, false);
    }

    /** What a dry run counted. */
    public static OperationResult counted(BoundedCount count, String message) {
        return new OperationResult(count.counted(), count.more(), true, null, message);
    }

    /** One that leaves no key paused. */
    public OperationResult(long changed, boolean more, boolean dryRun, @Nullable String next, String message) {
        this(changed, more, dryRun, next, List.of(), message);
    }

    /** One after which nothing is left to do. */
    public OperationResult(long changed, String message) {
        this(changed, false, false, null, message);
    }

    /** The same, ended early by a failure. */
    public OperationResult asIncomplete() {
        return new OperationResult(changed, more, dryRun, next, pausedKeys, message, true);
    }
}
