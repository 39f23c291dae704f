package outbox.testkit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import outbox.spi.TimeSource;

/** Asks again until something has happened, for a while. The stores under test have clocks that no test can move. */
public final class Await {

    private static final long AT_MOST_NANOS = Duration.ofSeconds(30).toNanos();
    /** Between two questions: what is waited for needs the processor too. */
    private static final long REST_NANOS = Duration.ofMillis(1).toNanos();

    private Await() {}

    public static void until(String what, BooleanSupplier happened) {
        until(what, Duration.ofNanos(AT_MOST_NANOS), happened);
    }

    public static void until(String what, Duration atMost, BooleanSupplier happened) {
        long start = TimeSource.SYSTEM.nanoTime();
        while (!happened.getAsBoolean()) {
            if (TimeSource.SYSTEM.nanoTime() - start > atMost.toNanos()) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(REST_NANOS);
        }
    }

    public static <T> List<T> nonEmpty(String what, Supplier<List<T>> question) {
        long start = TimeSource.SYSTEM.nanoTime();
        List<T> answer = question.get();
        while (answer.isEmpty()) {
            if (TimeSource.SYSTEM.nanoTime() - start > AT_MOST_NANOS) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(REST_NANOS);
            answer = question.get();
        }
        return answer;
    }
}
