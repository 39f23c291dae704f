package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.Destination;
import outbox.testkit.Await;

/** Waits for the outcomes of one call. */
record Outcomes(List<CompletableFuture<Outcome>> futures) {

    static final int SECONDS_MAX = 40;

    static Outcomes of(Destination destination, List<Delivery> deliveries) {
        List<CompletableFuture<Outcome>> futures = Stream.generate(CompletableFuture<Outcome>::new)
                .limit(deliveries.size())
                .toList();
        destination.deliver(deliveries, (index, outcome) -> {
            if (!futures.get(index).complete(outcome)) {
                throw new IllegalStateException("reported twice: " + index);
            }
        });
        return new Outcomes(futures);
    }

    static Outcomes of(Destination destination, EventEnvelope... events) {
        return of(
                destination,
                Stream.of(events).map(event -> new Delivery(event, 1)).toList());
    }

    /** Delivers in the end: on a busy machine the first contact with a topic may take longer than one call waits for it. */
    static void awaitDelivered(Destination destination, List<Delivery> deliveries) {
        Await.until(
                "all are delivered", () -> of(destination, deliveries).kinds().equals(Set.of(Outcome.Delivered.class)));
    }

    List<Outcome> all() {
        return futures.stream().map(Outcomes::got).toList();
    }

    /** Returns the kinds of the outcomes, which are easier to read than a thousand outcomes. */
    Set<Class<?>> kinds() {
        return all().stream().map(Object::getClass).collect(Collectors.toSet());
    }

    Outcome get(int index) {
        return got(futures.get(index));
    }

    private static Outcome got(CompletableFuture<Outcome> future) {
        try {
            return future.get(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no outcome within " + SECONDS_MAX + " s", e);
        }
    }

    static void isUnavailable(Outcome outcome, Scope scope) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        unavailable -> assertThat(unavailable.scope())
                                .as(unavailable.error())
                                .isEqualTo(scope));
    }

    static boolean isGivenUp(Outcome outcome) {
        return outcome instanceof Outcome.Unavailable unavailable && unavailable.scope() == Scope.CALL;
    }

    static String error(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Retryable retryable -> retryable.error();
            case Outcome.Rejected rejected -> rejected.reason();
            case Outcome.Unavailable unavailable -> unavailable.error();
            case Outcome.Delivered delivered -> throw new AssertionError("was " + delivered);
        };
    }
}
