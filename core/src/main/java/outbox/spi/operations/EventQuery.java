package outbox.spi.operations;

import org.jspecify.annotations.Nullable;
import outbox.internal.Limits;

/**
 * Asks for one page of stored events: pending ones with the longest waiting first, all others with the latest first.
 *
 * @param after the {@link EventPage#next} of the previous page; null for the first page
 * @param limit the most events of the page
 */
public record EventQuery(EventFilter filter, @Nullable String after, int limit) {

    /** Each event may have an error of 4,000 characters, so a page has a few megabytes at most. */
    public static final int LIMIT_MAX = 1_000;

    public EventQuery {
        Limits.oneTo(LIMIT_MAX, "limit", limit);
    }
}
