package outbox.spi;

import java.time.Duration;
import outbox.model.ClaimTerms;

/**
 * What a claimer asks of the store.
 *
 * @param skipRecent leaves out events younger than this that were neither delayed nor attempted, which the hot path
 *     of their publisher is likely to have; for stores without claims
 * @param bytesMax the sum of payload sizes to stay below; the first event is given whatever its size
 * @param suspects whether to give suspects and nothing else, instead of everything but suspects. A suspect is an event
 *     of which {@link #SUSPECT_FROM} holders in a row or more have died. A process has one of them at a time, so that
 *     what ends it is known, and what was claimed beside it is not suspected again
 */
public record ClaimRequest(ClaimTerms terms, Duration skipRecent, int eventsMax, long bytesMax, boolean suspects) {

    /** One death is no reason to be careful: every event that a process had when it was killed has one. */
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
