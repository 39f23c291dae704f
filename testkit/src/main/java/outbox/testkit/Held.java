package outbox.testkit;

import java.time.Duration;
import java.util.List;
import outbox.model.Claim;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;

/** An event that a claimer was given, with the claim on it. */
record Held(OutboxEvent event, Claim claim) {

    static List<String> ids(List<Held> all) {
        return all.stream().map(Held::id).toList();
    }

    String id() {
        return event.eventId();
    }

    Settlement done() {
        return new Settlement.Done(claim);
    }

    Settlement retry(Duration delay, String error) {
        return new Settlement.Retry(claim, delay, error);
    }

    Settlement postponed(Duration delay, String error) {
        return new Settlement.Postponed(claim, delay, error);
    }

    /** Dead because it has become too old, with the destination to blame. */
    Settlement givenUp(String error) {
        return new Settlement.Dead(claim, error, false);
    }

    Settlement dead(String error) {
        return new Settlement.Dead(claim, error);
    }
}
