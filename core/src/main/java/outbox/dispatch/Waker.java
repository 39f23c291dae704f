package outbox.dispatch;

import java.time.Duration;

/** Is notified when a poll would find events. */
@FunctionalInterface
public interface Waker {

    /** Requests a poll after the delay; zero: at once. Never waits. */
    void wakeAfter(Duration delay);
}
