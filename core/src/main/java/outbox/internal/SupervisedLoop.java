package outbox.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import outbox.spi.TimeSource;

/**
 * Repeats a body on its own thread until it is stopped. No exception ends the thread: it pauses, and the log has a line
 * when failures begin, one a minute, and one when they end. A failing log does not end it either.
 */
public final class SupervisedLoop {

    /** How long a closing thread waits for a loop. */
    public static final Duration STOP_WAIT = Duration.ofSeconds(5);

    private static final long REST_MILLIS_MAX = 5_000;

    /** One iteration, which waits while there is nothing to do. */
    @FunctionalInterface
    public interface Body {
        /** Returns whether to run another iteration. */
        boolean runOnce() throws InterruptedException;
    }

    private final Thread thread;
    private final Body body;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Semaphore wakes = new Semaphore(0);
    private final Consumer<Throwable> onFailure;
    private final Runnable onSuccess;

    public SupervisedLoop(String name, Body body) {
        this(name, body, new OutageLog(System.getLogger(SupervisedLoop.class.getName()), TimeSource.SYSTEM));
    }

    private SupervisedLoop(String name, Body body, OutageLog outages) {
        this(name, body, failure -> outages.failed(name, failure), () -> outages.works(name));
    }

    /** A loop that reports its failures elsewhere, for example together with those of other loops. */
    public SupervisedLoop(String name, Body body, Consumer<Throwable> onFailure) {
        this(name, body, onFailure, () -> {});
    }

    private SupervisedLoop(String name, Body body, Consumer<Throwable> onFailure, Runnable onSuccess) {
        this.body = body;
        this.onFailure = onFailure;
        this.onSuccess = onSuccess;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    public SupervisedLoop start() {
        thread.start();
        return this;
    }

    /** The name of its thread. */
    public String name() {
        return thread.getName();
    }

    /** Whether its thread has ended although the loop was not stopped. Any thread. */
    public boolean hasEndedUnexpectedly() {
        return thread.getState() == Thread.State.TERMINATED && stopped.getCount() > 0;
    }

    /** The names of the loops that have ended although they were not stopped. Any thread. */
    public static List<String> ended(Stream<SupervisedLoop> loops) {
        return loops.filter(SupervisedLoop::hasEndedUnexpectedly)
                .map(SupervisedLoop::name)
                .toList();
    }

    /** Stops after the current iteration. */
    public void stop() {
        stopped.countDown();
        wake();
    }

    /** Stops, and interrupts the current iteration. */
    public void interrupt() {
        stopped.countDown();
        wake();
        thread.interrupt();
    }

    /** Waits for the end of a stopped loop, and interrupts it if that takes too long. */
    public void awaitEnd() {
        try {
            if (!join(STOP_WAIT)) {
                interrupt();
            }
        } catch (InterruptedException e) {
            interrupt();
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of the last iteration; false when it did not end in time. */
    public boolean join(Duration atMost) throws InterruptedException {
        boolean neverStarted = thread.getState() == Thread.State.NEW;
        return neverStarted || Thread.currentThread().equals(thread) || thread.join(atMost);
    }

    /** Ends the body's pause, or its next one. Any thread. */
    public void wake() {
        wakes.release();
    }

    /** Pauses the body until the time is over or the loop is woken or stopped. The body calls this. */
    public void rest(Duration atMost) throws InterruptedException {
        if (stopped.getCount() > 0 && wakes.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            wakes.drainPermits();
        }
    }

    // Everything that may fail is inside the try: without memory, even waiting fails.
    private void run() {
        long restMillis = 0;
        while (true) {
            try {
                if (isStopped(restMillis) || !body.runOnce()) {
                    return;
                }
                restMillis = 0;
                quietly(onSuccess);
            } catch (InterruptedException e) {
                // A thread that ends this loop calls stop first; any other interrupt is stray.
                restMillis = 0;
            } catch (Throwable e) { // An Error as well: a loop that ends silently is worse.
                restMillis = Math.min(REST_MILLIS_MAX, Math.max(50, restMillis * 2));
                quietly(() -> onFailure.accept(e));
            }
        }
    }

    // The log may fail, and so may the message of the failure. There is no place left to report that.
    private static void quietly(Runnable report) {
        try {
            report.run();
        } catch (Throwable unreported) {
            // An Error as well, for example when the log has no memory.
        }
    }

    private boolean isStopped(long restMillis) {
        try {
            return stopped.await(restMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return stopped.getCount() == 0;
        }
    }
}
