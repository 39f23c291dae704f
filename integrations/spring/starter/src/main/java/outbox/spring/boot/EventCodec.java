package outbox.spring.boot;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import outbox.EventEnvelope;
import outbox.PermanentFailureException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Converts objects of {@link OutboxEvent} classes to events and back, with the application's Jackson. */
final class EventCodec {

    private final JsonMapper json;
    private final Map<Class<?>, Optional<EventClass>> classes = new ConcurrentHashMap<>();

    EventCodec(JsonMapper json) {
        this.json = json;
    }

    /** Returns the annotation's values, or empty when the class has no {@link OutboxEvent}. */
    Optional<EventClass> classOf(Class<?> javaClass) {
        return classes.computeIfAbsent(
                javaClass, one -> EventClass.isEvent(one) ? Optional.of(EventClass.of(one)) : Optional.empty());
    }

    EventEnvelope write(EventClass eventClass, Object event) {
        return EventEnvelope.builder(eventClass.eventType())
                .aggregateType(eventClass.aggregateType())
                .aggregateId(eventClass.keyOf(event))
                .payloadJson(json.writeValueAsString(event))
                .build();
    }

    /**
     * Reads the payload.
     *
     * @throws PermanentFailureException when it cannot be read, which no later attempt would change
     */
    Object read(EventEnvelope event, Class<?> javaClass) {
        String payload = event.payloadJson();
        if (payload == null) {
            throw new PermanentFailureException("event " + event.eventId() + " of type " + event.eventType()
                    + " has a binary payload, and " + javaClass.getName() + " is read from JSON");
        }
        try {
            return json.readValue(payload, javaClass);
        } catch (JacksonException e) {
            // Jackson's own message may quote the payload, so it is left out.
            throw new PermanentFailureException("the payload of event " + event.eventId() + " of type "
                    + event.eventType() + " cannot be read as " + javaClass.getName() + ": "
                    + e.getClass().getSimpleName());
        }
    }
}
