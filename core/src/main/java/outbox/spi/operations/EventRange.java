package outbox.spi.operations;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;

/**
 * Done events with payload and headers, in the order of their ids.
 *
 * @param next the id behind which to continue, whether or not that event matched; null at the end
 */
public record EventRange(List<OutboxEvent> events, @Nullable String next) {

    public EventRange {
        events = List.copyOf(events);
    }
}
