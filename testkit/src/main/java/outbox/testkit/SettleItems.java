package outbox.testkit;

import java.time.Duration;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.SettleItem;

/** SettleItems on events, for tests that care for little else. */
final class SettleItems {

    static final String DESTINATION = "orders";

    private static final String NO_TOKEN = "none";

    private SettleItems() {}

    static SettleItem done(EventEnvelope event) {
        return of(new Settlement.Done(claim(event, NO_TOKEN)), 0);
    }

    static SettleItem retry(EventEnvelope event, int attempts, Duration delay, String error) {
        return of(new Settlement.Retry(claim(event, NO_TOKEN), delay, error), attempts);
    }

    static SettleItem postponed(EventEnvelope event, int attempts, Duration delay, String error) {
        return of(new Settlement.Postponed(claim(event, NO_TOKEN), delay, error), attempts);
    }

    /** Dead because it has become too old, with the destination to blame. */
    static SettleItem givenUp(EventEnvelope event, int attempts, String error) {
        return of(new Settlement.Dead(claim(event, NO_TOKEN), error, false), attempts);
    }

    static SettleItem dead(EventEnvelope event, int attempts, String error) {
        return of(new Settlement.Dead(claim(event, NO_TOKEN), error), attempts);
    }

    static SettleItem pausingKey(EventEnvelope event, int attempts, String key) {
        return new SettleItem(new Settlement.Dead(claim(event, NO_TOKEN), "broken"), attempts, DESTINATION, key, false);
    }

    /** The same item on another claim of the event. */
    static SettleItem under(String token, EventEnvelope event, SettleItem item) {
        return on(claim(event, token), item);
    }

    /** The same item on the event as it was read, which may be after a replay. */
    static SettleItem of(OutboxEvent read, SettleItem item) {
        return on(new Claim(read.eventId(), NO_TOKEN, read.state().replays()), item);
    }

    private static SettleItem on(Claim claim, SettleItem item) {
        return new SettleItem(
                under(item.settlement(), claim),
                item.expectedAttempts(),
                item.destination(),
                item.pausesKey(),
                item.fansOut());
    }

    private static SettleItem of(Settlement settlement, int attempts) {
        return new SettleItem(settlement, attempts, DESTINATION);
    }

    private static Claim claim(EventEnvelope event, String token) {
        return new Claim(event.eventId(), token);
    }

    private static Settlement under(Settlement settlement, Claim claim) {
        return switch (settlement) {
            case Settlement.Done done -> new Settlement.Done(claim);
            case Settlement.Retry retry -> new Settlement.Retry(claim, retry.delay(), retry.error());
            case Settlement.Postponed postponed ->
                new Settlement.Postponed(claim, postponed.delay(), postponed.error());
            case Settlement.Dead dead -> new Settlement.Dead(claim, dead.error(), dead.counts());
        };
    }
}
