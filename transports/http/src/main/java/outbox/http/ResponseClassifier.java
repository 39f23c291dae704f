package outbox.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.TimeSource;

/** Converts a response to an outcome for each event of its request. */
final class ResponseClassifier {

    private static final int EXCERPT_CHARS_MAX = 200;

    private final boolean hasItemResults;
    private final Statuses statuses;
    private final ItemResults itemResults;
    private final TimeSource time;
    private final List<String> secrets;

    /**
     * Creates a classifier.
     *
     * @param secrets texts that a server may echo and that no error may show
     */
    ResponseClassifier(HttpConfig.Answers rules, TimeSource time, List<String> secrets) {
        this.hasItemResults = rules.itemResults();
        this.statuses = new Statuses(rules.finalStatuses());
        this.itemResults = new ItemResults(statuses);
        this.time = time;
        this.secrets = List.copyOf(secrets);
    }

    /** Returns whether one of the request's events caused the response. */
    boolean blamesAnEvent(Answer answer) {
        return !answer.isSuccess()
                && switch (statuses.ofRequest(answer.status(), "", null, Scope.ADDRESS)) {
                    case Outcome.Rejected rejected -> true;
                    case Outcome.Retryable retryable -> !retryable.unanswered();
                    case Outcome.Unavailable unavailable -> false;
                    case Outcome.Delivered delivered -> false;
                };
    }

    List<Outcome> outcomes(Answer answer, List<String> eventIds, String place, Scope answering) {
        if (answer.isSuccess()) {
            return hasItemResults
                    ? byItem(answer, eventIds, place)
                    : Collections.nCopies(eventIds.size(), new Outcome.Delivered(place, -1, -1));
        }
        Duration after = RetryAfter.parse(answer.retryAfter(), time.instant());
        return KeyCall.ofAll(
                statuses.ofRequest(answer.status(), message(answer, place), after, answering), eventIds.size());
    }

    private String message(Answer answer, String place) {
        String excerpt = withoutSecrets(FailureText.excerpt(withoutSecrets(answer.body()), EXCERPT_CHARS_MAX));
        String redirect = answer.status() >= 300 && answer.status() < 400 ? ", and redirects are not followed" : "";
        return place + " answered " + answer.status() + redirect + (excerpt.isEmpty() ? "" : ": " + excerpt);
    }

    private String withoutSecrets(String text) {
        String clean = text;
        for (String secret : secrets) {
            clean = clean.replace(secret, "(secret)");
        }
        return clean;
    }

    // ---- a result for each event -----------------------------------------------------------------------------------

    private List<Outcome> byItem(Answer answer, List<String> eventIds, String place) {
        try {
            if (answer.isCut()) {
                throw new IllegalArgumentException("it is longer than " + Answer.BODY_BYTES_MAX + " bytes");
            }
            return behindRetries(itemResults.read(answer.body(), eventIds, place).stream()
                    .map(this::withoutSecrets)
                    .toList());
        } catch (IllegalArgumentException e) {
            String message =
                    place + " answered " + answer.status() + " without a result for each event: " + e.getMessage();
            return KeyCall.ofAll(new Outcome.Retryable(message, null), eventIds.size());
        }
    }

    private Outcome withoutSecrets(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Delivered delivered -> delivered;
            case Outcome.Retryable retryable ->
                new Outcome.Retryable(withoutSecrets(retryable.error()), retryable.after(), retryable.unanswered());
            case Outcome.Rejected rejected -> new Outcome.Rejected(withoutSecrets(rejected.reason()));
            case Outcome.Unavailable unavailable ->
                new Outcome.Unavailable(withoutSecrets(unavailable.error()), unavailable.scope(), unavailable.after());
        };
    }

    /**
     * Repeats accepted events behind a retried event of the same key, so that the server finally receives the key in
     * order. Only the first retried event is charged: the server may refuse the later ones only because of their
     * position. Behind a rejected event nothing is repeated, because that event is never sent again.
     */
    private static List<Outcome> behindRetries(List<Outcome> outcomes) {
        List<Outcome> inOrder = new ArrayList<>();
        boolean waits = false;
        for (Outcome outcome : outcomes) {
            inOrder.add(waits && !(outcome instanceof Outcome.Rejected) ? KeyCall.BEHIND : outcome);
            waits |= outcome instanceof Outcome.Retryable || outcome instanceof Outcome.Unavailable;
        }
        return inOrder;
    }
}
