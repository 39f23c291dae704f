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
 * A thread that repeats a body until it is stopped. No exception ends it: the body rests a while, and the log has a line
 * when failures begin, one a minute, and one when they end. A log that fails itself does not end it either.
 */
public final class SupervisedLoop {

    /** How long a loop that was asked to stop is waited for. */
    public static final Duration STOP_WAIT = Duration.ofSeconds(5);

    private static final long REST_MILLIS_MAX = 5_000;

    /** One turn. It waits by itself while there is nothing to do. */
    @FunctionalInterface
    public interface Body {
        /** Returns whether there is to be another turn. */
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

    /** A loop whose failures are reported elsewhere, such as together with those of other loops. */
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

    /** The names of those loops that have ended unasked. Any thread. */
    public static List<String> ended(Stream<SupervisedLoop> loops) {
        return loops.filter(SupervisedLoop::hasEndedUnexpectedly)
                .map(SupervisedLoop::name)
                .toList();
    }

    /** Asks for no further turn. A turn that is under way is not disturbed. */
    public void stop() {
        stopped.countDown();
        wake();
    }

    /** Stops, and interrupts the turn that is under way. */
    public void interrupt() {
        stopped.countDown();
        wake();
        thread.interrupt();
    }

    /** Waits for the end of the last turn; false when it did not end in time. */
    public boolean join(Duration atMost) throws InterruptedException {
        boolean neverStarted = thread.getState() == Thread.State.NEW;
        return neverStarted || Thread.currentThread().equals(thread) || thread.join(atMost);
    }

    /** Ends the body's rest, or the next one when it does not rest now. Any thread. */
    public void wake() {
        wakes.release();
    }

    /** For the body: rests, and returns at once when the loop is woken or stopped. */
    public void rest(Duration atMost) throws InterruptedException {
        if (stopped.getCount() > 0 && wakes.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            wakes.drainPermits();
        }
    }

    // All that may fail is tried: without memory even to wait does.
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
                // Whoever wants this thread to end has stopped the loop first; any other interrupt is a stray one.
                restMillis = 0;
            } catch (Throwable e) { // An Error as well: a loop that dies silently is worse than any of them.
                restMillis = Math.min(REST_MILLIS_MAX, Math.max(50, restMillis * 2));
                quietly(() -> onFailure.accept(e));
            }
        }
    }

    // The log may fail, and so may a failure that is asked for its message. There is no place left to report that.
    private static void quietly(Runnable report) {
        try {
            report.run();
        } catch (Throwable unreported) {
            // An Error as well, such as that of a log without memory.
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
