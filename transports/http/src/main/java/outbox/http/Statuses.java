package outbox.http;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;

/**
 * Says what a status blames: the event, its path or the whole server. The server is blamed only where all events go to
 * one path: behind each of several paths there may be another server.
 *
 * @param finals after which no later attempt can succeed
 */
record Statuses(Set<Integer> finals) {

    /**
     * Of a whole request.
     *
     * @param answering what an answer says something about: the path, or the whole server
     */
    Outcome ofRequest(int status, String words, @Nullable Duration after, Scope answering) {
        if (finals.contains(status)) {
            return new Outcome.Rejected(words);
        }
        if (isOfServer(status) || status == 401 || status == 407) {
            return new Outcome.Unavailable(words, answering, after);
        }
        return switch (status) {
            case 403, 404, 405, 410 -> new Outcome.Unavailable(words, Scope.ADDRESS, after);
            case 408 -> new Outcome.Retryable(words, after, true); // Who knows how much of the request was read.
            default ->
                status < 400
                        ? new Outcome.Unavailable(words, Scope.ADDRESS, after)
                        : new Outcome.Retryable(words, after);
        };
    }

    /** Of one event in an answer that has a result for each: the server itself was there, and took the request. */
    Outcome ofItem(int status, String words, @Nullable Duration after) {
        if (finals.contains(status)) {
            return new Outcome.Rejected(words);
        }
        return isOfServer(status)
                ? new Outcome.Unavailable(words, Scope.ADDRESS, after)
                : new Outcome.Retryable(words, after);
    }

    /** Too many requests, no storage left, or a gateway before a server that is away; 521 to 526 are Cloudflare's. */
    private static boolean isOfServer(int status) {
        return switch (status) {
            case 429, 502, 503, 504, 507, 521, 522, 523, 524, 525, 526 -> true;
            default -> false;
        };
    }
}
