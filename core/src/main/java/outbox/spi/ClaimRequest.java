package outbox.spi;

import java.time.Duration;
import outbox.model.ClaimTerms;

/**
 * Asks the store to claim events.
 *
 * @param skipRecent skips events younger than this that were neither delayed nor attempted, because the hot path of
 *     their publisher probably has them; for stores without claims
 * @param bytesMax the limit of the sum of payload sizes; the first event is returned whatever its size
 * @param suspects whether to claim suspects only, instead of all other events. A suspect is an event of which {@link
 *     #SUSPECT_FROM} holders in a row or more have ended. A process has one suspect at a time, so that the cause of its
 *     end is known, and the events that were claimed with it are not suspected again
 */
public record ClaimRequest(ClaimTerms terms, Duration skipRecent, int eventsMax, long bytesMax, boolean suspects) {

    /** One death makes no suspect: every event that a process had when it was killed has one. */
    public static final int SUSPECT_FROM = 2;

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

    /** A request for everything but suspects. */
    public ClaimRequest(ClaimTerms terms, Duration skipRecent, int eventsMax, long bytesMax) {
        this(terms, skipRecent, eventsMax, bytesMax, false);
    }

    /** A request for one suspect. */
    public static ClaimRequest oneSuspect(ClaimTerms terms) {
        return new ClaimRequest(terms, Duration.ZERO, 1, Long.MAX_VALUE, true);
    }
}
