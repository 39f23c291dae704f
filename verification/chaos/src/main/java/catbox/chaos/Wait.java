package catbox.chaos;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for a condition for a while, and describes it when it did not become true. */
final class Wait {

    private static final long CHECK_EVERY_MILLIS = 10;
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private Wait() {}

    static void until(String what, Duration atMost, BooleanSupplier condition) throws InterruptedException {
        if (!within(atMost, condition)) {
            throw new IllegalStateException("waited " + atMost.toSeconds() + " s in vain until " + what);
        }
    }

    /** Returns whether the condition became true within this time. */
    static boolean within(Duration atMost, BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                return false;
            }
            boolean released = NEVER.await(CHECK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
            assert !released;
        }
        return true;
    }
}
