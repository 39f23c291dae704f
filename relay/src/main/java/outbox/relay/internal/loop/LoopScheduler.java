package outbox.relay.internal.loop;

import java.time.Duration;

/** Gives turns: to each body one at a time, again when it has rested or is woken. */
public interface LoopScheduler {

    /** Gives a body turns from now on. */
    Handle add(String name, Loop loop);

    /** One turn, after which the body wants to rest for the returned time. */
    @FunctionalInterface
    interface Loop {
        Duration runOnce();
    }

    /** A body's place. */
    interface Handle {

        /** Asks for a turn soon; one that is under way is followed by another. Any thread. */
        void wake();

        /** Gives no more turns. */
        void end();
    }
}
