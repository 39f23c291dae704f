package outbox.micrometer;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polls until something has happened on another thread, and fails after a while. */
final class Eventually {

    private static final long AT_MOST_NANOS = Duration.ofSeconds(20).toNanos();

    private Eventually() {}

    static void until(String what, BooleanSupplier happened) {
        long start = System.nanoTime();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - start > AT_MOST_NANOS) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
