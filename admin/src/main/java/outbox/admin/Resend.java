package outbox.admin;

import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import outbox.admin.Operation.Request;
import outbox.admin.view.OperationResult;
import outbox.model.OutboxEvent;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventFilter;
import outbox.spi.operations.EventFilter.State;
import outbox.spi.operations.EventRange;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.Selection;

/**
 * Sends done events of a period to a destination again, a bounded number with each request.
 *
 * @param live null for dry runs
 */
record Resend(OperatorStore store, @Nullable RunningRelay live, Audit audit) {

    /** How many events, with their payloads, are in memory at once. */
    static final int EVENTS_MAX = 200;

    /** How many searches one request makes, as each may end before it has found an event. */
    private static final int SEARCHES_MAX = 20;

    OperationResult run(Request.Resend request) {
        EventFilter filter = EventFilter.ALL
                .withState(State.DONE)
                .withEventType(request.eventType())
                .createdBetween(request.from(), request.before());
        if (live == null) {
            return request.after() == null
                    ? counted(filter, request.destination())
                    : EventOperations.uncounted(request.after());
        }
        EventRange range = store.range(filter, request.after(), EVENTS_MAX);
        for (int n = 1; n < SEARCHES_MAX && range.events().isEmpty() && range.next() != null; n++) {
            range = store.range(filter, range.next(), EVENTS_MAX);
        }
        if (range.events().isEmpty()) {
            String message =
                    range.next() == null ? "no more events to send" : "no event found so far; repeat to continue";
            return new OperationResult(0, range.next() != null, false, range.next(), message);
        }
        return send(range, filter.describe() + " to " + request.destination(), request, live);
    }

    private OperationResult counted(EventFilter filter, String destination) {
        BoundedCount count = store.count(new Selection.Matching(filter), EventOperations.COUNT_MAX);
        String found = Phrases.counted(count, EventOperations.COUNT_MAX, "would be sent to " + destination);
        return OperationResult.counted(count, filter.describe() + ": " + found);
    }

    private OperationResult send(EventRange range, String subject, Request.Resend request, RunningRelay relay) {
        List<OutboxEvent> events = range.events();
        RunningRelay.Resent resent = resend(events, subject, request.destination(), relay);
        int sent = resent.acknowledged();
        String message = Phrases.events(sent) + " sent to " + request.destination();
        if (resent.failure() == null) {
            audit.note(Operation.RESEND, subject, message);
            return new OperationResult(sent, range.next() != null, false, range.next(), message);
        }
        String failed = message + "; the next, " + events.get(sent).eventId() + ", did not arrive: "
                + Phrases.error(resent.failure());
        audit.note(Operation.RESEND, subject, failed);
        String behind = sent == 0 ? request.after() : events.get(sent - 1).eventId();
        return new OperationResult(sent, true, false, behind, failed).asIncomplete();
    }

    /** How many events had arrived before an exception is unknown; that they were sent is in the audit log. */
    private RunningRelay.Resent resend(
            List<OutboxEvent> events, String subject, String destination, RunningRelay relay) {
        try {
            return relay.resend(events, destination);
        } catch (NoSuchElementException e) {
            throw e; // There is no such destination, so nothing was sent.
        } catch (RuntimeException e) {
            audit.noteFailure(
                    e,
                    Operation.RESEND,
                    subject,
                    "it failed: " + Phrases.error(e.toString()) + "; of " + Phrases.events(events.size()) + " from "
                            + events.get(0).eventId() + " on, some may have arrived");
            throw e;
        }
    }
}
