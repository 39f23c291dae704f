package outbox.spi.operations;

import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;

/**
 * Done events with what they carry, in the order of their ids.
 *
 * @param next the id behind which to go on, whether or not that event matched; null when there is nothing more
 */
public record EventRange(List<OutboxEvent> events, @Nullable String next) {

    public EventRange {
        events = List.copyOf(events);
    }
}
