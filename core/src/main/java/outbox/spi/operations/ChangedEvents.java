package outbox.spi.operations;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one call has done to events.
 *
 * @param eventIds those that were changed, oldest first
 * @param next goes on behind what was looked at, whether or not that was changed; null when everything that is meant was
 *     looked at. To all but the store it is a word without meaning.
 */
public record ChangedEvents(List<String> eventIds, @Nullable String next) {

    public ChangedEvents {
        eventIds = List.copyOf(eventIds);
    }
}
