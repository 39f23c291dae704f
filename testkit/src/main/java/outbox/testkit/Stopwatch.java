package outbox.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long something takes on a busy machine: the time in which this process did not run
 * does not count. A second thread sleeps for a moment again and again; how much longer than requested it sleeps was
 * taken by other processes. So a limit of seconds limits what the code waits for, and not how fast the machine is.
 */
public final class Stopwatch {

    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** So late a rest may end on any machine. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

    private final CountDownLatch ended = new CountDownLatch(1);
    private long takenNanos; // Written by the thread that rests, and read after its end.

    private Stopwatch() {}

    /** What is to be measured, and its answer. */
    public record Lap<T>(T answer, Duration took) {}

    /** How long an action takes. */
    public static Duration time(Runnable action) {
        try {
            return lap(() -> {
                        action.run();
                        return true;
                    })
                    .took();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** How long a question takes that has an answer. */
    public static <T> Lap<T> lap(Callable<T> question) throws Exception {
        Stopwatch watch = new Stopwatch();
        Thread resting = Thread.ofPlatform().daemon().name("stopwatch").start(watch::rest);
        long begun = System.nanoTime();
        T answer;
        long took;
        try {
            answer = question.call();
        } finally {
            took = System.nanoTime() - begun;
            watch.ended.countDown();
            resting.join();
        }
        return new Lap<>(answer, Duration.ofNanos(Math.max(0, took - watch.takenNanos)));
    }

    private void rest() {
        try {
            long begun = System.nanoTime();
            while (!ended.await(REST_NANOS, TimeUnit.NANOSECONDS)) {
                long now = System.nanoTime();
                long late = now - begun - REST_NANOS;
                takenNanos += late > LATE_NANOS ? late : 0;
                begun = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
