package outbox.rabbitmq;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;

/** Delivers and waits for the outcomes. */
final class Deliveries {

    private Deliveries() {}

    static EventEnvelope event() {
        return EventEnvelope.ofJson("OrderPlaced", "{}");
    }

    static Delivery to(String address) {
        return new Delivery(event(), 1, address, Delivery.NO_PARTITION);
    }

    static Outcome deliver(Destination destination, EventEnvelope event) {
        return deliver(destination, new Delivery(event, 1)).getFirst();
    }

    static List<Outcome> deliver(Destination destination, Delivery... deliveries) {
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        Arrays.stream(deliveries)
                .forEach(delivery -> outcomes.add(new CompletableFuture<Outcome>().orTimeout(30, TimeUnit.SECONDS)));
        destination.deliver(
                List.of(deliveries), (index, outcome) -> outcomes.get(index).complete(outcome));
        return outcomes.stream().map(CompletableFuture::join).toList();
    }

    /** Repeats attempts, as a relay does, until one is delivered. */
    static void deliverEventually(Destination destination, EventEnvelope event) {
        Outcome outcome = deliver(destination, event);
        for (int attempts = 0; attempts < 100_000 && !isFinal(outcome); attempts++) {
            outcome = deliver(destination, event);
        }
        if (!(outcome instanceof Outcome.Delivered)) {
            throw new AssertionError("not delivered in the end: " + outcome);
        }
    }

    private static boolean isFinal(Outcome outcome) {
        return outcome instanceof Outcome.Delivered || outcome instanceof Outcome.Rejected;
    }

    static String error(Outcome outcome) {
        return outcome instanceof Outcome.Unavailable unavailable
                ? unavailable.error()
                : ((Outcome.Retryable) outcome).error();
    }

    static boolean isUnavailable(Outcome outcome, Scope scope) {
        return outcome instanceof Outcome.Unavailable unavailable && unavailable.scope() == scope;
    }
}
