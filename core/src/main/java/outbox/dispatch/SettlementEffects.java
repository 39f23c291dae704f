package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import outbox.internal.ClaimKeeper;
import outbox.internal.SafeMetrics;
import outbox.model.Settlement;
import outbox.spi.MetricsExporter;

/** Applies a stored settlement in memory: drops the claim, counts, logs, and wakes the poller. */
final class SettlementEffects {

    private static final Logger LOG = System.getLogger(OutboxDispatcher.class.getName());

    private final InFlightTracker inFlight;
    private final ClaimKeeper keeper;
    private final SafeMetrics metrics;
    private final Waker waker;

    SettlementEffects(InFlightTracker inFlight, ClaimKeeper keeper, SafeMetrics metrics, Waker waker) {
        this.inFlight = inFlight;
        this.keeper = keeper;
        this.metrics = metrics;
        this.waker = waker;
    }

    /** The settlement changed no row, so it is not counted. */
    void changedNothing(Finished event) {
        drop(event);
    }

    void settled(Finished event) {
        drop(event);
        switch (event.settlement()) {
            case Settlement.Done done -> metrics.report(MetricsExporter::incrementDispatchSuccess);
            case Settlement.Retry retry -> failed(event, retry);
            case Settlement.Postponed postponed -> postponed(event, postponed);
            case Settlement.Dead dead -> died(event, dead);
        }
    }

    /** Claims were released, so the poller may find their events. */
    void released() {
        waker.wakeAfter(Duration.ZERO);
    }

    private void drop(Finished event) {
        keeper.drop(event.held());
        inFlight.release(event.eventId());
        if (event.suspect()) {
            waker.wakeAfter(Duration.ZERO); // The next suspect may be claimed now.
        }
    }

    private void postponed(Finished event, Settlement.Postponed postponed) {
        LOG.log(
                Level.DEBUG,
                "event {0} ({1}) is postponed by {2}, its destination is unavailable: {3}",
                event.eventId(),
                event.eventType(),
                postponed.delay(),
                postponed.error());
        waker.wakeAfter(postponed.delay());
    }

    private void failed(Finished event, Settlement.Retry retry) {
        metrics.report(MetricsExporter::incrementDispatchFailure);
        LOG.log(
                event.attempts() == 1 ? Level.INFO : Level.WARNING,
                "event {0} ({1}) failed, attempt {2}, next in {3}: {4}",
                event.eventId(),
                event.eventType(),
                event.attempts(),
                retry.delay(),
                retry.error());
        waker.wakeAfter(retry.delay());
    }

    private void died(Finished event, Settlement.Dead dead) {
        metrics.report(MetricsExporter::incrementDispatchDead);
        LOG.log(
                Level.ERROR,
                "event {0} ({1}) is dead, attempt {2}: {3}",
                event.eventId(),
                event.eventType(),
                event.attempts(),
                dead.error());
    }
}
