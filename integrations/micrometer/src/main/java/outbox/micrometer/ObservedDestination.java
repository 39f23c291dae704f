package outbox.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import outbox.PublishFailedException;
import outbox.internal.ErrorText;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.DestinationWrapper;

/**
 * Wraps a destination in {@code outbox.deliver} observations. Each attempt continues the trace that is stored with its
 * event, and each message carries that trace on to its consumer.
 */
public final class ObservedDestination implements DestinationWrapper {

    private final Destination destination;
    private final DeliverObservation observations;

    private ObservedDestination(Destination destination, DeliverObservation observations) {
        this.destination = destination;
        this.observations = observations;
    }

    /** Returns the observed destination, or the destination itself if the registry records nothing. */
    public static Destination around(Destination destination, String name, ObservationRegistry registry) {
        return registry.equals(ObservationRegistry.NOOP)
                ? destination
                : new ObservedDestination(destination, new DeliverObservation(registry, name));
    }

    @Override
    public Destination wrapped() {
        return destination;
    }

    @Override
    public void deliver(List<Delivery> deliveries, Receipt receipt) {
        if (observations.isNoop()) {
            destination.deliver(deliveries, receipt);
            return;
        }
        List<Attempt> attempts = new ArrayList<>(deliveries.size());
        List<Delivery> traced = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            Attempt attempt = begin(delivery);
            attempts.add(attempt);
            traced.add(attempt.traced());
        }
        try {
            destination.deliver(traced, (index, outcome) -> {
                attempts.get(index).end(outcome);
                receipt.report(index, outcome);
            });
        } catch (Throwable e) { // Any error is rethrown, but no observation may stay open.
            attempts.forEach(attempt -> attempt.end(new Outcome.Retryable(ErrorText.of(e), null)));
            throw e;
        }
    }

    private Attempt begin(Delivery delivery) {
        Map<String, String> traceHeaders = new LinkedHashMap<>();
        Observation deliver = SafeObserver.start(() -> observations.deliver(delivery));
        Observation send = SafeObserver.start(() -> observations.send(deliver, delivery, traceHeaders));
        Delivery traced = new Delivery(
                TraceHeaders.put(delivery.event(), traceHeaders),
                delivery.attempt(),
                delivery.address(),
                delivery.partition());
        return new Attempt(deliver, send, traced, new AtomicBoolean());
    }

    /** One attempt in flight. Only the first report ends it. */
    private record Attempt(Observation deliver, Observation send, Delivery traced, AtomicBoolean ended) {

        // A failing observer must not prevent the outcome from being reported: the event would be sent again.
        private void end(Outcome outcome) {
            if (ended.compareAndSet(false, true)) {
                SafeObserver.end(() -> end(send, outcome));
                SafeObserver.end(() -> end(deliver, outcome));
            }
        }

        private void end(Observation observation, Outcome outcome) {
            observation.lowCardinalityKeyValue(
                    "outcome",
                    switch (outcome) {
                        case Outcome.Delivered delivered -> "delivered";
                        case Outcome.Retryable retryable -> "retryable";
                        case Outcome.Rejected rejected -> "rejected";
                        case Outcome.Unavailable unavailable -> "unavailable";
                    });
            if (!(outcome instanceof Outcome.Delivered)) {
                observation.error(new PublishFailedException(traced.event().eventId(), outcome));
            }
            observation.stop();
        }
    }
}
