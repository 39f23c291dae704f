package outbox.model;

import java.time.Duration;

/** The decision about one claimed event, to be written only if the claim still holds. */
public sealed interface Settlement {

    Claim claim();

    /** The same decision under another claim on the event. */
    Settlement under(Claim other);

    record Done(Claim claim) implements Settlement {

        @Override
        public Done under(Claim other) {
            return new Done(other);
        }
    }

    /** To be tried again after the delay, counted by the database's clock. */
    record Retry(Claim claim, Duration delay, String error) implements Settlement {

        @Override
        public Retry under(Claim other) {
            return new Retry(other, delay, error);
        }
    }

    /**
     * The event did not fail, because its destination could not work: to be tried again after the delay, counted by the
     * database's clock. It counts no attempt, and the event keeps its place in the order of its key.
     */
    record Postponed(Claim claim, Duration delay, String error) implements Settlement {

        @Override
        public Postponed under(Claim other) {
            return new Postponed(other, delay, error);
        }
    }

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

        @Override
        public Dead under(Claim other) {
            return new Dead(other, error, counts);
        }
    }
}
