package outbox.spi.operations;

import org.jspecify.annotations.Nullable;
import outbox.internal.Limits;

/**
 * One page of stored events: pending ones with the longest waiting first, all others with the latest first.
 *
 * @param after where the page before ended, as its {@link EventPage#next} says; null for the first page
 * @param limit how many events at most
 */
public record EventQuery(EventFilter filter, @Nullable String after, int limit) {

    /** Each of them may have an error of 4,000 characters, so a page may weigh some megabytes and no more. */
    public static final int LIMIT_MAX = 1_000;

    public EventQuery {
        Limits.oneTo(LIMIT_MAX, "limit", limit);
    }
}
