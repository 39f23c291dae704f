package outbox.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import outbox.EventEnvelope;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.spi.Destination;
import outbox.spi.Settings;

/** Makes one call to a destination and waits for its outcomes. */
final class Attempts {

    private Attempts() {}

    static Settings settings(String... namesAndValues) {
        Map<String, String> values = new HashMap<>();
        for (int n = 0; n < namesAndValues.length; n += 2) {
            values.put(namesAndValues[n], namesAndValues[n + 1]);
        }
        return new Settings("destination test", "test", values);
    }

    /** Creates a destination for this API with additional settings. */
    static HttpDestination to(TestApi api, String... namesAndValues) {
        List<String> all = new ArrayList<>(List.of("base-url", api.url(), "allow-private-addresses", "true"));
        all.addAll(List.of(namesAndValues));
        return new HttpDestination("test", HttpConfig.from(settings(all.toArray(String[]::new))));
    }

    static List<Outcome> of(Destination destination, List<Delivery> deliveries) throws Exception {
        List<CompletableFuture<Outcome>> outcomes = Stream.generate(CompletableFuture<Outcome>::new)
                .limit(deliveries.size())
                .toList();
        destination.deliver(deliveries, (index, outcome) -> outcomes.get(index).complete(outcome));
        List<Outcome> all = new ArrayList<>();
        for (CompletableFuture<Outcome> outcome : outcomes) {
            all.add(outcome.get(20, TimeUnit.SECONDS));
        }
        return all;
    }

    static Outcome of(Destination destination, Delivery delivery) throws Exception {
        return of(destination, List.of(delivery)).get(0);
    }

    static Delivery json(String json) {
        return new Delivery(
                EventEnvelope.builder("OrderPlaced")
                        .orderingKey("k")
                        .payloadJson(json)
                        .build(),
                1);
    }

    static Delivery stored(String json) {
        return new Delivery(
                EventEnvelope.builder("OrderPlaced")
                        .orderingKey("k")
                        .storedPayloadJson(json)
                        .build(),
                1);
    }

    static Delivery at(String address, String json) {
        return new Delivery(json(json).event(), 1, address, Delivery.NO_PARTITION);
    }

    static List<Delivery> numbers(int count) {
        return Stream.iterate(1, n -> n + 1).limit(count).map(n -> json("" + n)).toList();
    }

    static String error(Outcome outcome) {
        return outcome instanceof Outcome.Unavailable unavailable
                ? unavailable.error()
                : ((Outcome.Retryable) outcome).error();
    }

    static List<String> kinds(List<Outcome> outcomes) {
        return outcomes.stream().map(Attempts::kind).toList();
    }

    /** Returns the name of the outcome. For an unavailable outcome it is the scope that it blames. */
    static String kind(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Delivered delivered -> "Delivered";
            case Outcome.Rejected rejected -> "Rejected";
            case Outcome.Retryable retryable -> retryable.unanswered() ? "Unanswered" : "Retryable";
            case Outcome.Unavailable unavailable -> unavailable.scope().name();
        };
    }
}
