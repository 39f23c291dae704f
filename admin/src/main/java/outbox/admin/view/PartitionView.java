package outbox.admin.view;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A partition and its owner.
 *
 * @param owner the node's name; null when it has none
 * @param paused whether an operator has paused it
 */
public record PartitionView(
        int partition,
        @Nullable String owner,
        long epoch,
        @Nullable Instant ownedSince,
        boolean paused) {}
