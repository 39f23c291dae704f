package catbox.chaos;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for something to become true, for a while, and says what it was when it did not. */
final class Patience {

    private static final long LOOK_EVERY_MILLIS = 10;
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private Patience() {}

    static void until(String what, Duration atMost, BooleanSupplier condition) throws InterruptedException {
        if (!within(atMost, condition)) {
            throw new IllegalStateException("waited " + atMost.toSeconds() + " s in vain until " + what);
        }
    }

    /** Whether it became true in this time. */
    static boolean within(Duration atMost, BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                return false;
            }
            boolean released = NEVER.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
            assert !released;
        }
        return true;
    }
}
