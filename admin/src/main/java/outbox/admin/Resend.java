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
import outbox.spi.operations.OperatorAction;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.Selection;

/**
 * Sends done events of a time to a destination again, some with each request.
 *
 * @param live null for dry runs
 */
record Resend(OperatorStore store, @Nullable RunningRelay live, String who) {

    /** They are in memory at once, with what they carry. */
    static final int EVENTS_MAX = 200;

    /** A look may end before it has found any; so many are made for one request. */
    private static final int LOOKS_MAX = 20;

    OperationResult carryOut(Request.Resend request) {
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
        for (int n = 1; n < LOOKS_MAX && range.events().isEmpty() && range.next() != null; n++) {
            range = store.range(filter, range.next(), EVENTS_MAX);
        }
        if (range.events().isEmpty()) {
            String says = range.next() == null ? "no more events to send" : "no event found so far, ask again";
            return new OperationResult(0, range.next() != null, false, range.next(), says);
        }
        return send(range, filter, request, live);
    }

    private OperationResult counted(EventFilter filter, String destination) {
        BoundedCount count = store.count(new Selection.Matching(filter), EventOperations.COUNT_MAX);
        String says = Phrases.counted(count, EventOperations.COUNT_MAX, "would be sent to " + destination);
        return new OperationResult(count.counted(), count.more(), true, null, filter.describe() + ": " + says);
    }

    private OperationResult send(EventRange range, EventFilter filter, Request.Resend request, RunningRelay relay) {
        List<OutboxEvent> events = range.events();
        RunningRelay.Resent resent = resend(events, filter, request, relay);
        int sent = resent.acknowledged();
        String says = Phrases.events(sent) + " sent to " + request.destination();
        if (resent.failure() == null) {
            note(filter, request, says);
            return new OperationResult(sent, range.next() != null, false, range.next(), says);
        }
        String failed = says + "; the next, " + events.get(sent).eventId() + ", did not arrive: "
                + Phrases.error(resent.failure());
        note(filter, request, failed);
        String behind = sent == 0 ? request.after() : events.get(sent - 1).eventId();
        return new OperationResult(sent, true, false, behind, failed);
    }

    /** How many had arrived when it broke off, nobody knows then; that it was tried, the audit does. */
    private RunningRelay.Resent resend(
            List<OutboxEvent> events, EventFilter filter, Request.Resend request, RunningRelay relay) {
        try {
            return relay.resend(events, request.destination());
        } catch (NoSuchElementException e) {
            throw e; // There is no such destination, so nothing was sent.
        } catch (RuntimeException e) {
            try {
                note(
                        filter,
                        request,
                        "it failed on the way: " + Phrases.error(e.toString()) + "; of "
                                + Phrases.events(events.size()) + " from "
                                + events.get(0).eventId()
                                + " on some may have arrived");
            } catch (RuntimeException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    private void note(EventFilter filter, Request.Resend request, String says) {
        store.note(
                new OperatorAction(who, Phrases.cut(says, OperatorAction.REASON_CHARS_MAX)),
                Operation.RESEND.word(),
                filter.describe() + " to " + request.destination());
    }
}
