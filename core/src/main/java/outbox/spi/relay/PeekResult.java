package outbox.spi.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a look at all slots found.
 *
 * @param partitions those with new events
 * @param lanesDue lanes of these slots in which a delayed event came due
 * @param dueUntil up to where due times were looked at, by the store's clock: the next look begins there
 * @param dueCutOff whether more delayed events had come due than were given; look again at once
 * @param nextDue how long until the next delayed event comes due; null when there is none
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

    /** The same, with these slots among those that have something new. */
    public PeekResult withNewEvents(Set<Integer> more) {
        Set<Integer> all = new LinkedHashSet<>(partitions);
        all.addAll(more);
        return new PeekResult(all, lanesDue, dueUntil, dueCutOff, nextDue);
    }
}
