package outbox.spi.relay;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A look at the pending events of a few lanes, which is how a lane that was passed is taken up again.
 *
 * @param bytesMax the sum of payload sizes to stay below; the first event of the first lane is given whatever its size
 */
public record LaneFetch(Set<Integer> lanes, int eventsPerLaneMax, long bytesMax) {

    public LaneFetch {
        lanes = Collections.unmodifiableSet(
                new LinkedHashSet<>(lanes)); // A copy that keeps its order: runs must be repeatable.
        if (lanes.isEmpty() || eventsPerLaneMax < 1 || bytesMax < 1) {
            throw new IllegalArgumentException("a look at lanes needs a lane, and limits of at least 1; was " + lanes
                    + ", " + eventsPerLaneMax + ", " + bytesMax);
        }
    }
}
