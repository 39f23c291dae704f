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
 * What happens to one event on a worker's thread: no second time at once, only under a claim that holds, delivered,
 * and handed to the settler. Whatever goes wrong on the way, the claim is given back.
 */
final class Worker {

    private static final Logger LOG = System.getLogger(Worker.class.getName());

    private final InFlightTracker inFlight;
    private final ClaimKeeper keeper;
    private final ListenerCaller deliverer;
    private final SettlementWriter settler;
    private final BooleanSupplier deadlinePassed;

    Worker(
            InFlightTracker inFlight,
            ClaimKeeper keeper,
            ListenerCaller deliverer,
            SettlementWriter settler,
            BooleanSupplier deadlinePassed) {
        this.inFlight = inFlight;
        this.keeper = keeper;
        this.deliverer = deliverer;
        this.settler = settler;
        this.deadlinePassed = deadlinePassed;
    }

    void process(QueuedEvent event) throws InterruptedException {
        if (!inFlight.tryAcquire(event.eventId())) {
            release(event.held()); // It is being delivered already.
            return;
        }
        boolean submitted = false;
        HeldClaim held = event.held();
        try {
            held = held == null ? keeper.claim(event.eventId()) : keeper.confirm(held) ? held : null;
            if (held == null) {
                LOG.log(Level.DEBUG, "event {0}: another instance has it", event.eventId());
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

    /** One attempt; false when it is not to be settled. */
    private boolean deliver(QueuedEvent event, HeldClaim held) throws InterruptedException {
        Outcome outcome = deliverer.deliver(new Delivery(event.envelope(), event.attempts() + 1));
        if (deadlinePassed.getAsBoolean()) {
            if (!(outcome instanceof Outcome.Delivered)) {
                return false; // A failure that our own interrupt caused is no attempt.
            }
        } else {
            Thread.interrupted(); // Nobody but close interrupts workers: a listener left this behind.
        }
        settler.submit(event, held, outcome);
        return true;
    }

    private void release(@Nullable HeldClaim held) {
        if (held != null) {
            keeper.drop(held);
            settler.releaseSoon(held.claim());
        }
    }
}
