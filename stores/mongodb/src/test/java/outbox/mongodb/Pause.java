package outbox.mongodb;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Asks again until something has happened in another thread or process, for a while. */
final class Pause {

    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private Pause() {}

    static void until(String what, BooleanSupplier happened) {
        long start = System.nanoTime();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - start > Duration.ofSeconds(60).toNanos()) {
                throw new AssertionError("waited in vain until " + what);
            }
            try {
                NEVER.await(10, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted while waiting until " + what, e);
            }
        }
    }
}
