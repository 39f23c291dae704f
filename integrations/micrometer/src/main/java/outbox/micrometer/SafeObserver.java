package outbox.micrometer;

import io.micrometer.observation.Observation;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Supplier;
import outbox.internal.ErrorText;

/** Runs observations such that a failing observer is logged and does not affect the delivery. */
final class SafeObserver {

    private static final Logger LOG = System.getLogger(SafeObserver.class.getName());

    private SafeObserver() {}

    /** Starts the observation. Returns a no-op if an observer fails. */
    static Observation start(Supplier<Observation> observation) {
        try {
            return observation.get().start();
        } catch (RuntimeException e) {
            warn("started", e);
            return Observation.NOOP;
        }
    }

    /** Opens the observation's scope. Returns a no-op if an observer fails. */
    static Observation.Scope open(Observation observation) {
        try {
            return observation.openScope();
        } catch (RuntimeException e) {
            warn("opened", e);
            return Observation.Scope.NOOP;
        }
    }

    /** Ends a scope or an observation. */
    static void end(Runnable end) {
        try {
            end.run();
        } catch (RuntimeException e) {
            warn("ended", e);
        }
    }

    private static void warn(String what, RuntimeException e) {
        LOG.log(Level.WARNING, "an observation could not be " + what + ": " + ErrorText.of(e), e);
    }
}
