package outbox.spi.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a node that have new events.
 *
 * @param partitions the partitions with new events
 * @param lanesDue lanes of these partitions in which a delayed event came due
 * @param dueUntil the due time up to which the result is complete, by the store's clock: the next peek begins there
 * @param dueCutOff whether more delayed events have come due than were returned; peek again at once
 * @param nextDue the time until the next delayed event comes due; null when there is none
 */
public record PeekResult(
        Set<Integer> partitions,
        Set<Integer> lanesDue,
        Instant dueUntil,
        boolean dueCutOff,
        @Nullable Duration nextDue) {

    public PeekResult {
        partitions = Collections.unmodifiableSet(
                new LinkedHashSet<>(partitions)); // Copies that keep their order: runs must be repeatable.
        lanesDue = Collections.unmodifiableSet(new LinkedHashSet<>(lanesDue));
    }

    /** The same result, with new events in these partitions too. */
    public PeekResult withNewEvents(Set<Integer> more) {
        Set<Integer> all = new LinkedHashSet<>(partitions);
        all.addAll(more);
        return new PeekResult(all, lanesDue, dueUntil, dueCutOff, nextDue);
    }
}
