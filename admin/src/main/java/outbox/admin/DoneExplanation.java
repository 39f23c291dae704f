package outbox.admin;

import outbox.model.EventState;
import outbox.spi.operations.EventSummary;

/** What became of an event that is done. The store knows that, and not by which route. */
record DoneExplanation(EventSummary event, RouteExplanation way) {

    private static final String DISCARDED = "discarded by ";

    String text() {
        EventState state = event.state();
        String error = state.lastError();
        if (error != null && error.startsWith(DISCARDED)) {
            return "It was " + error + ".";
        }
        String when = state.doneAt() == null ? "" : " at " + Phrases.at(state.doneAt());
        return way.dropping(event)
                .map(why -> "It was done" + when + " without being delivered: " + why)
                .orElseGet(() -> "It was delivered" + when + attempts(state.attempts()) + way.unlessDropped());
    }

    private static String attempts(int failed) {
        return failed == 0
                ? ", with the first attempt."
                : ", after " + failed + " failed " + (failed == 1 ? "attempt." : "attempts.");
    }
}
