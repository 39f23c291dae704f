package outbox.kafka;

import java.util.List;
import java.util.stream.IntStream;
import outbox.EventEnvelope;
import outbox.model.Delivery;

/** Events for tests that do not depend on their contents. */
final class Sample {

    private Sample() {}

    static EventEnvelope ofKey(String key) {
        return EventEnvelope.builder("OrderPlaced")
                .orderingKey(key)
                .payloadJson("{}")
                .build();
    }

    static EventEnvelope ofSize(String key, int bytes) {
        return EventEnvelope.builder("OrderPlaced")
                .orderingKey(key)
                .payloadBytes(new byte[bytes])
                .build();
    }

    static List<EventEnvelope> ofKey(String key, int count) {
        return IntStream.range(0, count).mapToObj(n -> ofKey(key)).toList();
    }

    static List<Delivery> inPartition(int partition, List<EventEnvelope> events) {
        return events.stream()
                .map(event -> new Delivery(event, 1, null, partition))
                .toList();
    }

    static Delivery to(String topic, EventEnvelope event) {
        return new Delivery(event, 1, topic, 0);
    }

    static List<String> ids(List<EventEnvelope> events) {
        return events.stream().map(EventEnvelope::eventId).toList();
    }
}
