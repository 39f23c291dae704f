package catbox.devservices;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The end of a bounded wait for something that only the operating system knows. It is the one place of this module that
 * reads a clock or rests: a process that is not our child cannot be awaited in any other way.
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
     * Rests for a moment before the next look. An interrupt stays set and makes the rest shorter, but does not end the
     * wait: a clean-up that stopped half way would leave processes behind.
     */
    void rest() {
        LockSupport.parkNanos(REST.toNanos());
    }
}
