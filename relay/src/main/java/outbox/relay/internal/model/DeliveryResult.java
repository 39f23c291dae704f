package outbox.relay.internal.model;

import outbox.model.Outcome;

/**
 * The answer for one event.
 *
 * @param consequence whether the event was attempted, and what it waits for if it was not
 * @param atNanos when the answer came, by the clock that only measures
 */
public record DeliveryResult(
        Deliverable delivered, String destination, Outcome outcome, Consequence consequence, long atNanos) {

    /** Whether settle decides about it. Any other event goes back to its lane as it was. */
    public boolean isAttempted() {
        return consequence instanceof Consequence.Attempted;
    }
}
