package outbox.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import outbox.EventEnvelope;
import outbox.spi.PublishStep;

/**
 * Observes each publishing as {@code outbox.publish} and stores the trace that it belongs to with the event, so that its
 * delivery continues it. An event that already says which trace it belongs to stays as it is.
 */
public final class PublishObservation implements PublishStep {

    static final String NAME = "outbox.publish";

    private final ObservationRegistry registry;
    private final BoundedNames types = new BoundedNames(BoundedNames.EVENT_TYPES_MAX);

    public PublishObservation(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public EventEnvelope prepare(EventEnvelope event) {
        if (registry.isNoop()) {
            return event;
        }
        Map<String, String> injected = new LinkedHashMap<>();
        SenderContext<Map<String, String>> context = new SenderContext<>(
                (carrier, name, value) -> Objects.requireNonNull(carrier).put(name, value), Kind.PRODUCER);
        context.setCarrier(injected);
        Observation.createNotStarted(NAME, () -> context, registry)
                .contextualName("publish " + event.eventType())
                .lowCardinalityKeyValue("type", types.of(event.eventType()))
                .highCardinalityKeyValue("outbox.event.id", event.eventId())
                .start()
                .stop();
        boolean hasTrace =
                !Collections.disjoint(injected.keySet(), event.headers().keySet());
        return hasTrace ? event : TraceHeaders.put(event, injected);
    }
}
