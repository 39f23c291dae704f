package catbox.devservices;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The end of a bounded wait for something that only the operating system knows. This is the only class of the module
 * that reads a clock or sleeps: a process that is not a direct child cannot be awaited otherwise.
 */
record Deadline(long nanoTime) {

    private static final Duration REST = Duration.ofMillis(10);

    static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    boolean passed() {
        return System.nanoTime() - nanoTime > 0;
    }

    /**
     * Sleeps for a moment before the next check. An interrupt stays set and shortens the sleep, but does not end the
     * wait: an aborted clean-up would leave processes behind.
     */
    void rest() {
        LockSupport.parkNanos(REST.toNanos());
    }
}
