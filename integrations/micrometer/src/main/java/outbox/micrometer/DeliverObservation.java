package outbox.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.util.Map;
import java.util.Objects;
import outbox.model.Delivery;

/** Creates the {@code outbox.deliver} observations, which continue the trace that is stored with the event. */
final class DeliverObservation {

    static final String NAME = "outbox.deliver";
    static final String SEND_NAME = "outbox.send";

    private final ObservationRegistry registry;
    private final String destination;
    private final BoundedNames types = new BoundedNames(BoundedNames.EVENT_TYPES_MAX);

    DeliverObservation(ObservationRegistry registry, String destination) {
        this.registry = registry;
        this.destination = destination;
    }

    boolean isNoop() {
        return registry.isNoop();
    }

    /** Returns an observation that is not started yet. */
    Observation deliver(Delivery delivery) {
        ReceiverContext<Map<String, String>> context = new ReceiverContext<>(
                (carrier, name) -> Objects.requireNonNull(carrier).get(name), Kind.CONSUMER);
        context.setCarrier(delivery.event().headers());
        return observation(NAME, context, delivery)
                .highCardinalityKeyValue("outbox.attempt", Integer.toString(delivery.attempt()));
    }

    /**
     * Returns the {@code outbox.send} observation within a delivery, which must have started. Its trace context goes
     * into the message. A second observation is needed because Micrometer's receiver context only reads trace headers
     * and its sender context only writes them.
     */
    Observation send(Observation deliver, Delivery delivery, Map<String, String> traceHeaders) {
        SenderContext<Map<String, String>> context = new SenderContext<>(
                (carrier, name, value) -> Objects.requireNonNull(carrier).put(name, value), Kind.PRODUCER);
        context.setCarrier(traceHeaders);
        context.setRemoteServiceName(destination);
        return observation(SEND_NAME, context, delivery).parentObservation(deliver);
    }

    private Observation observation(String name, Observation.Context context, Delivery delivery) {
        String type = delivery.event().eventType();
        return Observation.createNotStarted(name, () -> context, registry)
                .contextualName(name.substring("outbox.".length()) + " " + type)
                .lowCardinalityKeyValue("destination", destination)
                .lowCardinalityKeyValue("type", types.of(type))
                .lowCardinalityKeyValue("outcome", "none")
                .highCardinalityKeyValue("outbox.event.id", delivery.event().eventId());
    }
}
