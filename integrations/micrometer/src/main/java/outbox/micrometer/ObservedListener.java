package outbox.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.PermanentFailureException;
import outbox.model.Delivery;

/**
 * A listener whose every call continues the trace that is stored with the event, as {@code outbox.deliver}; whatever the
 * listener does belongs to it.
 */
public final class ObservedListener implements EventListener {

    /** What stands in place of a destination's name: an event's listeners are called one after the other. */
    static final String DESTINATION = "listener";

    private final EventListener listener;
    private final DeliverObservation observations;

    private ObservedListener(EventListener listener, DeliverObservation observations) {
        this.listener = listener;
        this.observations = observations;
    }

    /** The listener, observed; itself when nobody observes. */
    public static EventListener around(EventListener listener, ObservationRegistry registry) {
        return registry.equals(ObservationRegistry.NOOP)
                ? listener
                : new ObservedListener(listener, new DeliverObservation(registry, DESTINATION));
    }

    @Override
    public void onEvent(EventEnvelope event) throws Exception {
        onDelivery(new Delivery(event, 1));
    }

    @Override
    public void onDelivery(Delivery delivery) throws Exception {
        if (observations.isNoop()) {
            listener.onDelivery(delivery);
            return;
        }
        Observation observation = observations.deliver(delivery);
        observation.observeChecked(() -> deliver(delivery, observation));
    }

    private void deliver(Delivery delivery, Observation observation) throws Exception {
        try {
            listener.onDelivery(delivery);
            observation.lowCardinalityKeyValue("outcome", "delivered");
        } catch (Exception | Error e) {
            observation.lowCardinalityKeyValue(
                    "outcome", e instanceof PermanentFailureException ? "rejected" : "retryable");
            throw e;
        }
    }
}
