package outbox.spi.operations;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the events that were asked for.
 *
 * @param next continues behind this page; null when there is nothing more
 * @param cut whether the search ended before the page was full, because it had looked at as many rows as one search
 *     may: nothing is missing, but what is left has to be asked for with {@code next}
 */
public record EventPage(List<EventSummary> events, @Nullable String next, boolean cut) {

    public EventPage {
        events = List.copyOf(events);
    }
}
