package outbox.admin;

import java.util.List;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.Pause;

/**
 * Describes in a few sentences where an event stands and what it waits for.
 *
 * @param lane the pending events of its lane, in order, up to the last one that was read
 * @param reasons why that lane does not move
 */
record EventExplanation(
        EventSummary event,
        EventHistory history,
        List<EventSummary> lane,
        List<String> reasons,
        ClusterPicture picture,
        RouteExplanation route) {

    private static final String DISCARDED = "discarded by ";

    String text() {
        return switch (event.state().status()) {
            case DONE -> done();
            case DEAD -> dead() + arrivals();
            case NEW, RETRY -> pending() + arrivals();
        };
    }

    /** The store does not know by which route an event went. */
    private String done() {
        EventState state = event.state();
        String error = state.lastError();
        if (error != null && error.startsWith(DISCARDED)) {
            return "It was " + error + ".";
        }
        String when = state.doneAt() == null ? "" : " at " + Phrases.at(state.doneAt());
        return route.dropping(event)
                .map(why -> "It was done" + when + " without being delivered: " + why)
                .orElseGet(() -> "It was delivered" + when + failures(state.attempts()) + route.unlessDropped());
    }

    private static String failures(int failed) {
        return failed == 0
                ? ", with the first attempt."
                : ", after " + failed + " failed " + (failed == 1 ? "attempt." : "attempts.");
    }

    private String dead() {
        EventState state = event.state();
        String when = state.lastAttemptAt() == null ? "" : " at " + Phrases.at(state.lastAttemptAt(), picture.now());
        String pause = event.key() == null
                ? ""
                : picture.pause(Pause.Kind.KEY, event.key())
                        .map(found -> " " + PauseText.sentence(found))
                        .orElse("");
        return "It was given up" + when + " after " + state.attempts()
                + (state.attempts() == 1 ? " attempt" : " attempts") + ". Last error: "
                + Phrases.error(state.lastError())
                + ". It waits for an operator: repair the cause and replay it, edit and replay it, or discard it."
                + pause;
    }

    private String pending() {
        StringBuilder text = new StringBuilder(waits());
        int before = before();
        if (before > 0) {
            text.append(before < lane.size() ? " " : " At least ")
                    .append(Phrases.events(before))
                    .append(before == 1 ? " is" : " are")
                    .append(" ahead of it in its lane, first ")
                    .append(lane.get(0).eventId())
                    .append('.');
        }
        // The first event of its lane has just been described.
        String described = "Event " + event.eventId() + " ";
        reasons.stream()
                .filter(reason -> before > 0 || !reason.startsWith(described))
                .forEach(reason -> text.append(' ').append(reason));
        return text.toString();
    }

    private String waits() {
        EventState state = event.state();
        String due = Phrases.at(state.availableAt(), picture.now()) + ".";
        if (state.status() == EventStatus.RETRY) {
            return "It has failed " + Phrases.times(state.attempts()) + " and is retried at " + due + " Last error: "
                    + Phrases.error(state.lastError()) + ".";
        }
        boolean isDelayed = state.availableAt().isAfter(picture.now());
        return (isDelayed ? "It is scheduled for delivery at " : "It has been waiting for delivery since ") + due;
    }

    private int before() {
        for (int place = 0; place < lane.size(); place++) {
            if (lane.get(place).eventId().equals(event.eventId())) {
                return place;
            }
        }
        return lane.size();
    }

    private String arrivals() {
        List<String> targets = history.acknowledged().stream()
                .map(EventHistory.Acknowledged::target)
                .toList();
        return targets.isEmpty()
                ? ""
                : " It has already arrived at " + String.join(", ", targets) + " and is not sent there again.";
    }
}
