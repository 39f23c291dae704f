package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.DispatcherClosedException;
import outbox.EventEnvelope;
import outbox.internal.HeldClaim;
import outbox.model.Claim;
import outbox.model.ClaimTerms;
import outbox.spi.HotPath;

/**
 * Carries the events of one publish to the hot queue. The lease of their claim counts from before the INSERT, so that
 * this side gives up before the store does, however long the transaction takes.
 */
record HotHandover(OutboxDispatcher dispatcher, @Nullable ClaimTerms claim, long sinceNanos)
        implements HotPath.Handover {

    private static final Logger LOG = System.getLogger(OutboxDispatcher.class.getName());

    @Override
    public void committed(List<EventEnvelope> events) {
        try {
            events.forEach(this::committed);
        } catch (DispatcherClosedException e) {
            LOG.log(Level.DEBUG, "committed while the dispatcher closed; left in the store");
        }
    }

    private void committed(EventEnvelope event) {
        if (event.availableAt() != null) {
            dispatcher.wakeAt(event.availableAt());
            return;
        }
        if (claim == null) {
            dispatcher.leaveToPoller(event);
            return;
        }
        HeldClaim held = new HeldClaim(new Claim(event.eventId(), claim.token()), claim.lease(), sinceNanos);
        dispatcher.enqueueHot(new QueuedEvent(event, QueuedEvent.Source.HOT, 0, held, null));
    }
}
