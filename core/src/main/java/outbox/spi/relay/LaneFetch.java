package outbox.spi.relay;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Asks for the pending events of a few lanes, for example of skipped ones.
 *
 * @param bytesMax the limit of the sum of payload sizes; the first event of the first lane is returned whatever its
 *     size
 */
public record LaneFetch(Set<Integer> lanes, int eventsPerLaneMax, long bytesMax) {

    public LaneFetch {
        lanes = Collections.unmodifiableSet(
                new LinkedHashSet<>(lanes)); // A copy that keeps its order: runs must be repeatable.
        if (lanes.isEmpty() || eventsPerLaneMax < 1 || bytesMax < 1) {
            throw new IllegalArgumentException("a fetch of lanes needs a lane, and limits of at least 1; was " + lanes
                    + ", " + eventsPerLaneMax + ", " + bytesMax);
        }
    }
}
