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
 * Observes each publication as {@code outbox.publish} and stores its trace context with the event, so that the delivery
 * continues the trace. An event that already has a trace context keeps it.
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
        Map<String, String> traceHeaders = new LinkedHashMap<>();
        SenderContext<Map<String, String>> context = new SenderContext<>(
                (carrier, name, value) -> Objects.requireNonNull(carrier).put(name, value), Kind.PRODUCER);
        context.setCarrier(traceHeaders);
        Observation.createNotStarted(NAME, () -> context, registry)
                .contextualName("publish " + event.eventType())
                .lowCardinalityKeyValue("type", types.of(event.eventType()))
                .highCardinalityKeyValue("outbox.event.id", event.eventId())
                .start()
                .stop();
        boolean hasTrace =
                !Collections.disjoint(traceHeaders.keySet(), event.headers().keySet());
        return hasTrace ? event : TraceHeaders.put(event, traceHeaders);
    }
}
