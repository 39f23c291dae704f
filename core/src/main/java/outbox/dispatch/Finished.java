package outbox.dispatch;

import outbox.internal.ErrorText;
import outbox.internal.HeldClaim;
import outbox.model.Settlement;

/** An event after its attempt, with the decision about it. It has no payload, which frees memory early. */
record Finished(
        String eventId, String eventType, int attempts, HeldClaim held, Settlement settlement, boolean suspect) {

    static Finished of(QueuedEvent event, HeldClaim held, Settlement settlement) {
        return new Finished(
                event.eventId(),
                event.envelope().eventType(),
                event.attempts() + 1,
                held,
                settlement,
                event.isSuspect());
    }

    /** The same with an error of plain ASCII characters, which no database can refuse. */
    Finished withPlainError() {
        Settlement plain = switch (settlement) {
            case Settlement.Done done -> done;
            case Settlement.Retry retry ->
                new Settlement.Retry(retry.claim(), retry.delay(), ErrorText.plain(retry.error()));
            case Settlement.Postponed postponed ->
                new Settlement.Postponed(postponed.claim(), postponed.delay(), ErrorText.plain(postponed.error()));
            case Settlement.Dead dead ->
                new Settlement.Dead(dead.claim(), ErrorText.plain(dead.error()), dead.counts());
        };
        return new Finished(eventId, eventType, attempts, held, plain, suspect);
    }
}
