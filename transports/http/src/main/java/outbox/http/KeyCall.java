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
 * Delivers the events of one key, in order, on a thread of its own: one request after the other, each with neighbours
 * that go to the same place. The first event that is not delivered ends it, and everything behind that one waits for a
 * later attempt.
 *
 * <p>A request with several events that is refused for one of them says nothing about each. So it is sent again in
 * halves, down to the one event that is refused alone; those before it arrive, and nothing but that one is charged. A
 * search that takes longer than a call may take is continued by the next one.
 */
final class KeyCall {

    static final Outcome BEHIND =
            new Outcome.Unavailable("an event of the same key before it was not delivered", Scope.CALL);

    private static final Outcome LATE =
            new Outcome.Unavailable("the events before it took all the time of the call", Scope.CALL);
    private static final Outcome CUT_OFF =
            Outcome.Retryable.unanswered("the destination was closed before it confirmed");

    /** A delivery and its place in the call. */
    record Item(int index, Delivery delivery) {}

    /** What a call needs. */
    record Tools(
            GuardedClient client,
            RequestWriter writer,
            ResponseClassifier judge,
            CutSearches searches,
            TimeSource time) {}

    private final Tools tools;
    private final Reports reports;
    private final String key;
    private final int eventsPerRequestMax;
    private final long deadline;

    /** Whether a request has been sent, so that the next one has less time than a call may take. */
    private boolean begun;

    /** What the server has been asked to take and has not answered yet. */
    private List<Item> asked = List.of();

    /** Takes the outcomes. */
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

    /** What becomes of the events of one request: where a failure may be the fault of one, only the first is charged. */
    static List<Outcome> ofAll(Outcome outcome, int count) {
        List<Outcome> outcomes = new ArrayList<>(Collections.nCopies(count, outcome));
        if (outcome instanceof Outcome.Retryable && count > 1) {
            outcomes.subList(1, count).replaceAll(each -> BEHIND);
        }
        return outcomes;
    }

    /** Reports all of the items; an interrupt, which only closing causes, ends it early and leaves the rest to others. */
    void run(List<Item> items) throws InterruptedException {
        try {
            runAll(items);
        } catch (InterruptedException e) {
            report(asked, ofAll(CUT_OFF, asked.size()));
            throw e;
        }
    }

    private void runAll(List<Item> items) throws InterruptedException {
        int at = 0;
        int most = tools.searches().take(key, eventsPerRequestMax);
        boolean flows = true;
        while (flows && at < items.size()) {
            Item first = items.get(at);
            URI uri;
            try {
                uri = tools.writer().check(first.delivery());
            } catch (IllegalArgumentException e) {
                reports.report(first.index(), new Outcome.Rejected(String.valueOf(e.getMessage())));
                flows = false;
                at++;
                continue;
            }
            int end = endOfNeighbours(items, at, uri, most);
            flows = send(uri, items.subList(at, end));
            at = end;
            most = eventsPerRequestMax;
        }
        items.subList(at, items.size()).forEach(item -> reports.report(item.index(), BEHIND));
    }

    /** Up to where events can share the request of the one at the start. */
    private int endOfNeighbours(List<Item> items, int start, URI uri, int most) {
        int end = start + 1;
        while (end < items.size()
                && end - start < most
                && goesTo(uri, items.get(end).delivery())) {
            end++;
        }
        return end;
    }

    private boolean goesTo(URI uri, Delivery delivery) {
        try {
            return tools.writer().check(delivery).equals(uri);
        } catch (IllegalArgumentException e) {
            return false; // It is rejected when it is its turn.
        }
    }

    /** Reports what became of the items, and says whether all are delivered or rejected by themselves. */
    private boolean send(URI uri, List<Item> items) throws InterruptedException {
        Duration left = Duration.ofNanos(deadline - tools.time().nanoTime());
        if (!left.isPositive()) {
            return cutOff(items);
        }
        boolean hadAllTheTime = !begun;
        begun = true;
        String place = place(uri);
        List<String> ids =
                items.stream().map(item -> item.delivery().event().eventId()).toList();
        List<Outcome> outcomes;
        try {
            Answer answer = answer(uri, items, left);
            if (items.size() > 1 && tools.judge().blamesAnEvent(answer)) {
                return sendHalves(uri, items);
            }
            outcomes = tools.judge()
                    .outcomes(
                            answer,
                            ids,
                            place,
                            tools.writer().scope(items.get(0).delivery()));
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            Throwable failure = tools.client().behind(FailureText.unwrapped(e));
            if (!hadAllTheTime && FailureText.isLate(failure)) {
                return cutOff(items); // With all the time of a call it might have been answered.
            }
            outcomes = ofAll(FailureText.outcome(place, failure), items.size());
        }
        report(items, outcomes);
        return outcomes.stream().allMatch(Outcome.Delivered.class::isInstance);
    }

    /** The time is over: the next call begins with these, and has all the time for them. */
    private boolean cutOff(List<Item> items) {
        tools.searches().cutOff(key, items.size());
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
        boolean flows = send(uri, items.subList(0, middle));
        if (flows) {
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
        asked = items;
        CompletableFuture<HttpResponse<Answer>> response = tools.client().send(request, Answer.handler());
        try {
            Answer answer = response.get(left.toNanos(), TimeUnit.NANOSECONDS).body();
            asked = List.of();
            return answer;
        } finally {
            response.cancel(true); // Ends the exchange when the wait for it has ended early; else it does nothing.
        }
    }

    /** The URL without its query, which may hold what is nobody's business. */
    private static String place(URI uri) {
        String text = uri.toString();
        int query = text.indexOf('?');
        return query < 0 ? text : text.substring(0, query);
    }
}
