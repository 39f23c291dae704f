package outbox.spi.operations;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of the events that a query selects.
 *
 * @param next continues behind this page; null at the end
 * @param cut whether the search reached its limit of rows before the page was full. A search with {@code next}
 *     continues there
 */
public record EventPage(List<EventSummary> events, @Nullable String next, boolean cut) {

    public EventPage {
        events = List.copyOf(events);
    }
}
