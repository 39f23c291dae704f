package outbox.dispatch;

import java.time.Duration;

/** Told when a look into the store would find something. */
@FunctionalInterface
public interface Waker {

    /** Asks for a look after the delay; zero is at once. Never waits. */
    void wakeAfter(Duration delay);
}
