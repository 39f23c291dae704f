package outbox.testkit;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;

/** Sample events, for tests that do not care what is in them. */
public final class Events {

    public static final String TYPE = "OrderPlaced";

    private Events() {}

    public static EventEnvelope.Builder sample() {
        return EventEnvelope.builder(TYPE).payloadJson("{}");
    }

    public static EventEnvelope any() {
        return sample().build();
    }

    public static EventEnvelope ofKey(@Nullable String key) {
        return sample().orderingKey(key).build();
    }

    public static EventEnvelope ofType(String type) {
        return EventEnvelope.builder(type).payloadJson("{}").build();
    }

    public static List<EventEnvelope> many(int count) {
        return IntStream.range(0, count).mapToObj(n -> any()).toList();
    }

    public static List<String> ids(List<EventEnvelope> events) {
        return events.stream().map(EventEnvelope::eventId).toList();
    }

    public static List<String> idsOf(List<OutboxEvent> rows) {
        return rows.stream().map(OutboxEvent::eventId).toList();
    }
}
