package outbox.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.PermanentFailureException;
import outbox.model.Delivery;

/**
 * Wraps a listener in {@code outbox.deliver} observations. Each call continues the trace that is stored with the event,
 * and spans that the listener starts become its children.
 */
public final class ObservedListener implements EventListener {

    /** Replaces the destination's name in labels, because the listeners of an event are called in one attempt. */
    static final String DESTINATION = "listener";

    private final EventListener listener;
    private final ObservationRegistry registry;
    private final DeliverObservation observations;

    private ObservedListener(EventListener listener, ObservationRegistry registry) {
        this.listener = listener;
        this.registry = registry;
        this.observations = new DeliverObservation(registry, DESTINATION);
    }

    /** Returns the observed listener, or the listener itself if the registry records nothing. */
    public static EventListener around(EventListener listener, ObservationRegistry registry) {
        return registry.equals(ObservationRegistry.NOOP) ? listener : new ObservedListener(listener, registry);
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
        Observation observation = SafeObserver.start(() -> observations.deliver(delivery));
        Observation.Scope outer = registry.getCurrentObservationScope();
        Observation.Scope scope = SafeObserver.open(observation);
        String outcome = "retryable";
        try {
            listener.onDelivery(delivery);
            outcome = "delivered";
        } catch (Exception | Error e) {
            outcome = e instanceof PermanentFailureException ? "rejected" : outcome;
            SafeObserver.end(() -> observation.error(e));
            throw e;
        } finally {
            String last = outcome;
            SafeObserver.end(scope::close);
            // A scope whose observers failed has not restored the outer scope.
            registry.setCurrentObservationScope(outer);
            SafeObserver.end(
                    () -> observation.lowCardinalityKeyValue("outcome", last).stop());
        }
    }
}
