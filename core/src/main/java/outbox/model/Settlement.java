package outbox.model;

import java.time.Duration;

/** The decision about one claimed event, written only if the claim is still valid. */
public sealed interface Settlement {

    Claim claim();

    record Done(Claim claim) implements Settlement {}

    /** The event is tried again after the delay, by the database's clock. */
    record Retry(Claim claim, Duration delay, String error) implements Settlement {}

    /**
     * The destination was unavailable, so the event did not fail: it is tried again after the delay, by the database's
     * clock. This counts no attempt, and the event keeps its place in the order of its key.
     */
    record Postponed(Claim claim, Duration delay, String error) implements Settlement {}

    /**
     * The event is not tried again.
     *
     * @param counts whether the last attempt counts; false when the destination was unavailable and the event had
     *     become too old
     */
    record Dead(Claim claim, String error, boolean counts) implements Settlement {

        public Dead(Claim claim, String error) {
            this(claim, error, true);
        }
    }
}
