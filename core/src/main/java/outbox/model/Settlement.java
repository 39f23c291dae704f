package outbox.model;

import java.time.Duration;

/** The decision about one claimed event, to be written only if the claim still holds. */
public sealed interface Settlement {

    Claim claim();

    record Done(Claim claim) implements Settlement {}

    /** To be tried again after the delay, counted by the database's clock. */
    record Retry(Claim claim, Duration delay, String error) implements Settlement {}

    record Dead(Claim claim, String error) implements Settlement {}
}
