package outbox.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;

/**
 * Reads an answer that has a result for each event of a batch, in the order of the batch:
 *
 * <pre>{@code
 * {"results":[{"id":"…","status":"delivered"},
 *             {"id":"…","status":"retry","reason":"…","retryAfterSeconds":5},
 *             {"id":"…","status":"rejected","reason":"…"}]}
 * }</pre>
 *
 * <p>or the array alone. A status may be a number too: 2xx is delivered, any other means
 * what {@link Statuses} says. The id, if it is there, has to be that of the event at this place.
 */
final class ItemResults {

    private static final int REASON_CHARS_MAX = 200;

    private final Statuses statuses;

    ItemResults(Statuses statuses) {
        this.statuses = statuses;
    }

    /**
     * Reads each event's result.
     *
     * @param place that delivered events get
     * @throws IllegalArgumentException when the response has another form, with what is wrong
     */
    List<Outcome> read(String body, List<String> eventIds, String place) {
        Object document = JsonText.read(body);
        Object results = document instanceof Map<?, ?> object ? object.get("results") : document;
        if (!(results instanceof List<?> entries)) {
            throw new IllegalArgumentException("it has no array of results");
        }
        if (entries.size() != eventIds.size()) {
            throw new IllegalArgumentException(
                    "it has " + entries.size() + " results for " + eventIds.size() + " events");
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (int n = 0; n < entries.size(); n++) {
            outcomes.add(outcome(entries.get(n), eventIds.get(n), place));
        }
        return outcomes;
    }

    private Outcome outcome(@Nullable Object entry, String eventId, String place) {
        if (!(entry instanceof Map<?, ?> result)) {
            throw new IllegalArgumentException("a result is not an object");
        }
        Object id = result.get("id");
        if (id != null && !id.equals(eventId)) {
            throw new IllegalArgumentException("the result for event " + eventId + " has another id");
        }
        Object status = result.get("status");
        String reason = result.get("reason") instanceof String text ? text : "";
        String message = message(place, status, reason);
        Duration after = after(result.get("retryAfterSeconds"));
        if (status instanceof Double number) {
            int code = number.intValue();
            return code >= 200 && code < 300
                    ? new Outcome.Delivered(place, -1, -1)
                    : statuses.ofItem(code, message, after);
        }
        return switch (String.valueOf(status)) {
            case "delivered" -> new Outcome.Delivered(place, -1, -1);
            case "rejected" -> new Outcome.Rejected(message);
            case "retry" -> new Outcome.Retryable(message, after);
            default ->
                throw new IllegalArgumentException("the status of the result for event " + eventId
                        + " is not one of delivered, retry, rejected or a number");
        };
    }

    private static @Nullable Duration after(@Nullable Object seconds) {
        return seconds instanceof Double number
                ? RetryAfter.bounded(Duration.ofMillis(
                        (long) (Math.min(number, (double) RetryAfter.MAX.toSeconds()) * 1000)))
                : null;
    }

    private static String message(String place, @Nullable Object status, String reason) {
        String said = status instanceof Double number ? Integer.toString(number.intValue()) : String.valueOf(status);
        String because = FailureText.excerpt(reason, REASON_CHARS_MAX);
        return place + " answered " + said + " for this event" + (because.isEmpty() ? "" : ": " + because);
    }
}
