package outbox.testkit;

import java.time.Duration;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.OutboxEvent;
import outbox.model.Settlement;
import outbox.spi.relay.Verdict;

/** Verdicts on events, for tests that care for little else. */
final class Verdicts {

    static final String DESTINATION = "orders";

    private static final String NO_TOKEN = "none";

    private Verdicts() {}

    static Verdict done(EventEnvelope event) {
        return of(new Settlement.Done(claim(event, NO_TOKEN)), 0);
    }

    static Verdict retry(EventEnvelope event, int attempts, Duration delay, String error) {
        return of(new Settlement.Retry(claim(event, NO_TOKEN), delay, error), attempts);
    }

    static Verdict postponed(EventEnvelope event, int attempts, Duration delay, String error) {
        return of(new Settlement.Postponed(claim(event, NO_TOKEN), delay, error), attempts);
    }

    /** Dead because it has become too old, with the destination to blame. */
    static Verdict givenUp(EventEnvelope event, int attempts, String error) {
        return of(new Settlement.Dead(claim(event, NO_TOKEN), error, false), attempts);
    }

    static Verdict dead(EventEnvelope event, int attempts, String error) {
        return of(new Settlement.Dead(claim(event, NO_TOKEN), error), attempts);
    }

    static Verdict halting(EventEnvelope event, int attempts, String key) {
        return new Verdict(new Settlement.Dead(claim(event, NO_TOKEN), "broken"), attempts, DESTINATION, key);
    }

    /** The same verdict on another claim of the event. */
    static Verdict under(String token, EventEnvelope event, Verdict verdict) {
        return on(claim(event, token), verdict);
    }

    /** The same verdict on the event as it was read, which may be after a replay. */
    static Verdict of(OutboxEvent read, Verdict verdict) {
        return on(new Claim(read.eventId(), NO_TOKEN, read.state().replays()), verdict);
    }

    private static Verdict on(Claim claim, Verdict verdict) {
        Settlement settlement = switch (verdict.settlement()) {
            case Settlement.Done done -> new Settlement.Done(claim);
            case Settlement.Retry retry -> new Settlement.Retry(claim, retry.delay(), retry.error());
            case Settlement.Postponed postponed ->
                new Settlement.Postponed(claim, postponed.delay(), postponed.error());
            case Settlement.Dead dead -> new Settlement.Dead(claim, dead.error(), dead.counts());
        };
        return new Verdict(settlement, verdict.attempts(), verdict.destination(), verdict.haltsKey());
    }

    private static Verdict of(Settlement settlement, int attempts) {
        return new Verdict(settlement, attempts, DESTINATION, null);
    }

    private static Claim claim(EventEnvelope event, String token) {
        return new Claim(event.eventId(), token);
    }
}
