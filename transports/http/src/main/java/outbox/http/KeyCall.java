package outbox.http;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.model.Outcome.Unavailable.Scope;
import outbox.spi.TimeSource;

/**
 * Delivers the events of one key in order, on one thread: one request after another, each with consecutive events for
 * the same URL. The first event that is not delivered ends the call, and all later events wait for another attempt.
 *
 * <p>The rejection of a request with several events does not identify the rejected one. The events are therefore sent
 * again in halves, down to the single event that is rejected alone. The events before it arrive, and only that event is
 * charged with an attempt. A search that exceeds the call's time is continued by the next call.
 */
final class KeyCall {

    static final Outcome BEHIND =
            new Outcome.Unavailable("an earlier event of the same key was not delivered", Scope.CALL);

    private static final Outcome LATE =
            new Outcome.Unavailable("earlier events used up the time of the call", Scope.CALL);
    private static final Outcome CUT_OFF =
            Outcome.Retryable.unanswered("the destination was closed before the server responded");

    /** A delivery and its index in the call. */
    record Item(int index, Delivery delivery) {}

    /** Collaborators of a call. */
    record Tools(
            GuardedClient client,
            RequestWriter writer,
            ResponseClassifier classifier,
            InterruptedSearches searches,
            TimeSource time) {}

    private final Tools tools;
    private final Reports reports;
    private final String key;
    private final int eventsPerRequestMax;
    private final long deadline;

    /** Whether a request was sent, so that the next one has less than a call's full time. */
    private boolean requestSent;

    /** Events of the request that was sent and not answered yet. */
    private List<Item> sentItems = List.of();

    /** Receives the outcomes. */
    @FunctionalInterface
    interface Reports {
        void report(int index, Outcome outcome);
    }

    KeyCall(Tools tools, Reports reports, String key, int eventsPerRequestMax, Duration timeout) {
        this.tools = tools;
        this.reports = reports;
        this.key = key;
        this.eventsPerRequestMax = eventsPerRequestMax;
        this.deadline = tools.time().nanoTime() + timeout.toNanos();
    }

    /** Returns the outcomes of one request's events: only the first is charged with a failure. */
    static List<Outcome> ofAll(Outcome outcome, int count) {
        List<Outcome> outcomes = new ArrayList<>(Collections.nCopies(count, outcome));
        if (outcome instanceof Outcome.Retryable && count > 1) {
            outcomes.subList(1, count).replaceAll(each -> BEHIND);
        }
        return outcomes;
    }

    /** Reports all items. An interrupt, which only closing causes, ends it early, and the caller reports the rest. */
    void run(List<Item> items) throws InterruptedException {
        try {
            runAll(items);
        } catch (InterruptedException e) {
            report(sentItems, ofAll(CUT_OFF, sentItems.size()));
            throw e;
        }
    }

    private void runAll(List<Item> items) throws InterruptedException {
        int at = 0;
        int most = tools.searches().take(key, eventsPerRequestMax);
        boolean proceeds = true;
        while (proceeds && at < items.size()) {
            Item first = items.get(at);
            URI uri;
            try {
                uri = tools.writer().check(first.delivery());
            } catch (IllegalArgumentException e) {
                reports.report(first.index(), new Outcome.Rejected(String.valueOf(e.getMessage())));
                proceeds = false;
                at++;
                continue;
            }
            int end = endOfRequest(items, at, uri, most);
            proceeds = send(uri, items.subList(at, end));
            at = end;
            most = eventsPerRequestMax;
        }
        items.subList(at, items.size()).forEach(item -> reports.report(item.index(), BEHIND));
    }

    /** Returns the end of the consecutive events that can share a request with the one at the start. */
    private int endOfRequest(List<Item> items, int start, URI uri, int most) {
        int end = start + 1;
        while (end < items.size()
                && end - start < most
                && hasUri(uri, items.get(end).delivery())) {
            end++;
        }
        return end;
    }

    private boolean hasUri(URI uri, Delivery delivery) {
        try {
            return tools.writer().check(delivery).equals(uri);
        } catch (IllegalArgumentException e) {
            return false; // It is rejected when the call reaches it.
        }
    }

    /** Sends the items and reports their outcomes. Returns whether the call can continue behind them. */
    private boolean send(URI uri, List<Item> items) throws InterruptedException {
        Duration left = Duration.ofNanos(deadline - tools.time().nanoTime());
        if (!left.isPositive()) {
            return interrupt(items);
        }
        boolean hadFullTime = !requestSent;
        requestSent = true;
        String place = place(uri);
        List<String> ids =
                items.stream().map(item -> item.delivery().event().eventId()).toList();
        List<Outcome> outcomes;
        try {
            Answer answer = answer(uri, items, left);
            if (items.size() > 1 && tools.classifier().blamesAnEvent(answer)) {
                return sendHalves(uri, items);
            }
            outcomes = tools.classifier()
                    .outcomes(
                            answer,
                            ids,
                            place,
                            tools.writer().scope(items.get(0).delivery()));
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            Throwable failure = tools.client().causeOf(FailureText.unwrapped(e));
            if (!hadFullTime && FailureText.isLate(failure)) {
                return interrupt(items); // With the full time of a call it might have been answered.
            }
            outcomes = ofAll(FailureText.outcome(place, failure), items.size());
        }
        report(items, outcomes);
        return outcomes.stream().allMatch(Outcome.Delivered.class::isInstance);
    }

    /**
     * Ends the call because its time is over. The next call begins with these events, and has its full time for them.
     */
    private boolean interrupt(List<Item> items) {
        tools.searches().interrupt(key, items.size());
        items.forEach(item -> reports.report(item.index(), LATE));
        return false;
    }

    private void report(List<Item> items, List<Outcome> outcomes) {
        for (int n = 0; n < items.size(); n++) {
            reports.report(items.get(n).index(), outcomes.get(n));
        }
    }

    private boolean sendHalves(URI uri, List<Item> items) throws InterruptedException {
        int middle = items.size() / 2;
        boolean proceeds = send(uri, items.subList(0, middle));
        if (proceeds) {
            return send(uri, items.subList(middle, items.size()));
        }
        items.subList(middle, items.size()).forEach(item -> reports.report(item.index(), BEHIND));
        return false;
    }

    private Answer answer(URI uri, List<Item> items, Duration left)
            throws InterruptedException, ExecutionException, TimeoutException {
        List<Delivery> deliveries = new ArrayList<>();
        items.forEach(item -> deliveries.add(item.delivery()));
        HttpRequest request = tools.writer().request(uri, deliveries, left);
        sentItems = items;
        CompletableFuture<HttpResponse<Answer>> response = tools.client().send(request, Answer.handler());
        try {
            Answer answer = response.get(left.toNanos(), TimeUnit.NANOSECONDS).body();
            sentItems = List.of();
            return answer;
        } finally {
            // Ends the exchange when the wait for it has ended early; otherwise it has no effect.
            response.cancel(true);
        }
    }

    /** Returns the URL without its query, which may be confidential. */
    private static String place(URI uri) {
        String text = uri.toString();
        int query = text.indexOf('?');
        return query < 0 ? text : text.substring(0, query);
    }
}
