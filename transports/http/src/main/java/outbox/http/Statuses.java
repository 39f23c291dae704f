package outbox.http;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;

/**
 * Decides what a status blames: the event, its path or the whole server. The server is blamed only if all events go to
 * one path, because each of several paths may have its own server.
 *
 * @param finals after which no later attempt can succeed
 */
record Statuses(Set<Integer> finals) {

    /**
     * Converts the status of a whole request.
     *
     * @param answering what the response concerns: the path, or the whole server
     */
    Outcome ofRequest(int status, String message, @Nullable Duration after, Scope answering) {
        if (finals.contains(status)) {
            return new Outcome.Rejected(message);
        }
        if (blamesServer(status) || status == 401 || status == 407) {
            return new Outcome.Unavailable(message, answering, after);
        }
        return switch (status) {
            case 403, 404, 405, 410 -> new Outcome.Unavailable(message, Scope.ADDRESS, after);
            case 408 ->
                new Outcome.Retryable(message, after, true); // The server may have read any part of the request.
            default ->
                status < 400
                        ? new Outcome.Unavailable(message, Scope.ADDRESS, after)
                        : new Outcome.Retryable(message, after);
        };
    }

    /** Converts the status of one event in a response that has a result for each. */
    Outcome ofItem(int status, String message, @Nullable Duration after) {
        if (finals.contains(status)) {
            return new Outcome.Rejected(message);
        }
        return blamesServer(status)
                ? new Outcome.Unavailable(message, Scope.ADDRESS, after)
                : new Outcome.Retryable(message, after);
    }

    /** Too many requests, no storage left, or a gateway without its server; 521 to 526 are Cloudflare's. */
    private static boolean blamesServer(int status) {
        return switch (status) {
            case 429, 502, 503, 504, 507, 521, 522, 523, 524, 525, 526 -> true;
            default -> false;
        };
    }
}
