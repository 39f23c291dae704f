package outbox.micrometer;

import java.util.LinkedHashMap;
import java.util.Map;
import outbox.EventEnvelope;
import outbox.InvalidEventException;

/** Adds the headers that a tracer wrote to an event. */
final class TraceHeaders {

    private TraceHeaders() {}

    /**
     * Returns the event with these headers, which replace those of the same names. If the event would become too large,
     * it stays as it is: losing a trace is better than losing an event.
     */
    static EventEnvelope put(EventEnvelope event, Map<String, String> traceHeaders) {
        if (traceHeaders.isEmpty()) {
            return event;
        }
        Map<String, String> headers = new LinkedHashMap<>(event.headers());
        headers.putAll(traceHeaders);
        try {
            return event.withHeaders(headers);
        } catch (InvalidEventException e) {
            return event;
        }
    }
}
