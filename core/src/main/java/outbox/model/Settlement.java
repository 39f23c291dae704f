package outbox.model;

import java.time.Duration;

/** The decision about one claimed event, to be written only if the claim still holds. */
public sealed interface Settlement {

    Claim claim();

    record Done(Claim claim) implements Settlement {}

    /** To be tried again after the delay, counted by the database's clock. */
    record Retry(Claim claim, Duration delay, String error) implements Settlement {}

    /**
     * The event did not fail, because its destination could not work: to be tried again after the delay, counted by the
     * database's clock. It counts no attempt, and the event keeps its place in the order of its key.
     */
    record Postponed(Claim claim, Duration delay, String error) implements Settlement {}

    /**
     * Never to be tried again.
     *
     * @param counts whether the attempt before it counts; it does not where the destination was to blame and the event
     *     had become too old
     */
    record Dead(Claim claim, String error, boolean counts) implements Settlement {

        public Dead(Claim claim, String error) {
            this(claim, error, true);
        }
    }
}
