package outbox.spring;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.spi.HotPath;

/** Hot path that remembers the types of the events that it was given. */
final class RecordingHotPath implements HotPath {

    final List<String> types = new ArrayList<>();

    @Override
    public Handover prepare() {
        return new Handover() {
            @Override
            public @Nullable ClaimTerms claim() {
                return null;
            }

            @Override
            public void committed(List<EventEnvelope> events) {
                events.forEach(event -> types.add(event.eventType()));
            }
        };
    }
}
