package outbox.admin.view;

import org.jspecify.annotations.Nullable;

/**
 * What was done, or would be.
 *
 * @param changed how many
 * @param more whether there is more of it to do, by asking again
 * @param dryRun whether it was only counted
 * @param next continues behind what was done, where that is needed; null otherwise
 * @param says in words
 */
public record OperationResult(
        long changed,
        boolean more,
        boolean dryRun,
        @Nullable String next,
        String says) {}
