package outbox.model;

import java.time.Duration;
import outbox.Ordering;

/**
 * What a claimer asks of the store.
 *
 * @param skipRecent leaves out events younger than this that were neither delayed nor attempted, which the hot path
 *     of their publisher is likely to have; for stores without claims. Ignored with {@link Ordering#KEY}, where nothing is
 *     handed over in memory
 * @param bytesMax the sum of payload sizes to stay below; the first event is given whatever its size
 */
public record ClaimRequest(ClaimTerms terms, Ordering ordering, Duration skipRecent, int eventsMax, long bytesMax) {

    public ClaimRequest {
        if (skipRecent.isNegative()) {
            throw new IllegalArgumentException("skipRecent must not be negative, was " + skipRecent);
        }
        if (eventsMax < 1) {
            throw new IllegalArgumentException("eventsMax must be at least 1, was " + eventsMax);
        }
        if (bytesMax < 1) {
            throw new IllegalArgumentException("bytesMax must be at least 1, was " + bytesMax);
        }
    }
}
