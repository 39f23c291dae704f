package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import outbox.internal.ClaimKeeper;
import outbox.internal.HeldClaim;
import outbox.model.Delivery;
import outbox.model.Outcome;
import outbox.registry.ListenerCaller;

/**
 * Delivers one event on a worker's thread and hands its outcome to the settler. An event is never in flight twice, and
 * is delivered only under a valid claim. After any failure the claim is released.
 */
final class Worker {

    private static final Logger LOG = System.getLogger(Worker.class.getName());

    private final InFlightTracker inFlight;
    private final ClaimKeeper keeper;
    private final ListenerCaller caller;
    private final SettlementWriter settler;
    private final BooleanSupplier deadlinePassed;

    Worker(
            InFlightTracker inFlight,
            ClaimKeeper keeper,
            ListenerCaller caller,
            SettlementWriter settler,
            BooleanSupplier deadlinePassed) {
        this.inFlight = inFlight;
        this.keeper = keeper;
        this.caller = caller;
        this.settler = settler;
        this.deadlinePassed = deadlinePassed;
    }

    void process(QueuedEvent event) throws InterruptedException {
        if (!inFlight.tryAcquire(event.eventId())) {
            release(event.held()); // It is in flight already.
            return;
        }
        boolean submitted = false;
        HeldClaim held = event.held();
        try {
            held = held == null ? keeper.claim(event.eventId()) : keeper.confirm(held) ? held : null;
            if (held == null) {
                LOG.log(Level.DEBUG, "event {0}: another instance has claimed it", event.eventId());
            } else {
                submitted = settler.submitIfDead(event, held) || deliver(event, held);
            }
        } finally {
            if (!submitted) {
                inFlight.release(event.eventId());
                release(held);
            }
        }
    }

    /** Makes one attempt; false when it must not be settled. */
    private boolean deliver(QueuedEvent event, HeldClaim held) throws InterruptedException {
        Outcome outcome = caller.deliver(new Delivery(event.envelope(), event.attempts() + 1));
        if (deadlinePassed.getAsBoolean()) {
            if (!(outcome instanceof Outcome.Delivered)) {
                return false; // A failure that our own interrupt caused does not count.
            }
        } else {
            Thread.interrupted(); // Only close interrupts workers: a listener left this behind.
        }
        settler.submit(event, held, outcome);
        return true;
    }

    private void release(@Nullable HeldClaim held) {
        if (held != null) {
            keeper.drop(held);
            settler.releaseLater(held.claim());
        }
    }
}
