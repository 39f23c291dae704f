package outbox.micrometer;

import java.util.LinkedHashMap;
import java.util.Map;
import outbox.EventEnvelope;
import outbox.InvalidEventException;

/** Puts what a tracer wrote into an event's headers. */
final class TraceHeaders {

    private TraceHeaders() {}

    /**
     * The event with these headers instead of those of the same names. If it cannot have them, because it would be too
     * large, it goes without: a trace is not worth an event.
     */
    static EventEnvelope put(EventEnvelope event, Map<String, String> injected) {
        if (injected.isEmpty()) {
            return event;
        }
        Map<String, String> headers = new LinkedHashMap<>(event.headers());
        headers.putAll(injected);
        try {
            return event.withHeaders(headers);
        } catch (InvalidEventException e) {
            return event;
        }
    }
}
