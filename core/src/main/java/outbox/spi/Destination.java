package outbox.spi;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import outbox.EventEnvelope;
import outbox.PublishFailedException;
import outbox.internal.ErrorText;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.PublishResult;

/**
 * Delivers events to a broker, an API or a file: the one port of every transport. It makes one attempt and reports the
 * outcome; it never retries.
 */
public interface Destination extends MessagePublisher, AutoCloseable {

    /** The limits of a call, and of the events in flight. */
    DestinationTraits traits();

    /**
     * Begins one attempt for each of the deliveries and returns soon. Deliveries of one key are in order, and no other
     * call has one of that key until they are all reported.
     */
    void deliver(List<Delivery> deliveries, Receipt receipt);

    /**
     * The topic, queue or path that a delivery goes to, as operators know it. An outage of this address does not affect
     * the rest of the destination. A destination with a template of its own fills it in.
     *
     * @throws IllegalArgumentException when the event lacks a part of the address
     */
    default String addressOf(Delivery delivery) {
        return delivery.address() == null ? "" : delivery.address();
    }

    /** Ends what is in flight as fast as possible: everything that is not confirmed yet is reported as retryable. */
    @Override
    void close();

    @Override
    default CompletableFuture<PublishResult> publish(EventEnvelope event) {
        CompletableFuture<PublishResult> result = new CompletableFuture<>();
        try {
            deliver(List.of(new Delivery(event, 1)), (index, outcome) -> {
                if (outcome instanceof Outcome.Delivered delivered) {
                    result.complete(PublishResult.of(event, delivered));
                } else {
                    result.completeExceptionally(new PublishFailedException(event.eventId(), outcome));
                }
            });
        } catch (RuntimeException e) {
            Outcome failed = new Outcome.Retryable(ErrorText.of(e), null);
            result.completeExceptionally(new PublishFailedException(event.eventId(), failed));
        }
        return result;
    }

    /** Takes the outcomes of one call, in any order and on any thread. */
    @FunctionalInterface
    interface Receipt {
        /** Reports the outcome of the delivery at this index. Only the first report counts. */
        void report(int index, Outcome outcome);
    }
}
