package outbox.spi.operations;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events that one call has changed.
 *
 * @param eventIds the changed events, oldest first
 * @param next continues behind the checked events, whether or not they were changed; null when all selected events were
 *     checked. Only the store can interpret it
 */
public record ChangedEvents(List<String> eventIds, @Nullable String next) {

    public ChangedEvents {
        eventIds = List.copyOf(eventIds);
    }
}
