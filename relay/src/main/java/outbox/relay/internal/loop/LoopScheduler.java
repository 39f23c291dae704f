package outbox.relay.internal.loop;

import java.time.Duration;

/** Runs loops, one iteration after the other: again when a loop has rested or is woken. */
public interface LoopScheduler {

    /** Runs a loop from now on. */
    Handle add(String name, Loop loop);

    /** One iteration, after which the loop rests for the returned time. */
    @FunctionalInterface
    interface Loop {
        Duration runOnce();
    }

    /** A loop that is run. */
    interface Handle {

        /** Asks for an iteration soon; one that is running is followed by another. Any thread. */
        void wake();

        /** Runs no more iterations. */
        void end();
    }
}
