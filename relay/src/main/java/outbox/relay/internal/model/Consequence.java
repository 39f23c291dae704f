package outbox.relay.internal.model;

import java.time.Duration;

/** What the answer of a destination means for its event, before settle decides anything. */
public sealed interface Consequence {

    Consequence ATTEMPTED = new Attempted();
    Consequence RETURNED = new Returned();

    /** It was attempted: settle decides by the outcome. */
    record Attempted() implements Consequence {}

    /** It was not attempted: it is the first of its key again, and is delivered as soon as its destination takes events. */
    record Returned() implements Consequence {}

    /** It was not attempted, although the destination takes other events: its key waits for a while. */
    record Paused(Duration pause) implements Consequence {}

    /** It was not attempted: its key waits until this address of the destination is available again. */
    record AwaitsAddress(String address) implements Consequence {}
}
