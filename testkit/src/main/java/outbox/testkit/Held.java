package outbox.testkit;

import java.time.Duration;
import java.util.List;
import outbox.model.Claim;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.SettleItem;

/** An event that a claimer was given, with the claim on it. */
record Held(OutboxEvent event, Claim claim) {

    static List<String> ids(List<Held> all) {
        return all.stream().map(Held::id).toList();
    }

    String id() {
        return event.eventId();
    }

    SettleItem done() {
        return item(new Settlement.Done(claim));
    }

    SettleItem retry(Duration delay, String error) {
        return item(new Settlement.Retry(claim, delay, error));
    }

    SettleItem postponed(Duration delay, String error) {
        return item(new Settlement.Postponed(claim, delay, error));
    }

    /** Dead because it has become too old, with the destination to blame. */
    SettleItem givenUp(String error) {
        return item(new Settlement.Dead(claim, error, false));
    }

    SettleItem dead(String error) {
        return item(new Settlement.Dead(claim, error));
    }

    private SettleItem item(Settlement settlement) {
        return new SettleItem(settlement, event.attempts(), SettleItems.DESTINATION);
    }
}
