package outbox.util;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A thread that repeats a body until it is stopped. No exception ends it: it is logged, and the body rests a while. A log
 * that fails itself does not end it either.
 */
public final class SupervisedLoop {

    private static final Logger LOG = System.getLogger(SupervisedLoop.class.getName());
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

    public SupervisedLoop(String name, Body body) {
        this.body = body;
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
    public boolean hasEndedUnasked() {
        return thread.getState() == Thread.State.TERMINATED && stopped.getCount() > 0;
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
            } catch (InterruptedException e) {
                // Whoever wants this thread to end has stopped the loop first; any other interrupt is a stray one.
                restMillis = 0;
            } catch (Throwable e) { // An Error as well: a loop that dies silently is worse than any of them.
                restMillis = Math.min(REST_MILLIS_MAX, Math.max(50, restMillis * 2));
                report(e, restMillis);
            }
        }
    }

    // The log may fail, and so may a failure that is asked for its message. There is no place left to report that.
    private void report(Throwable failure, long restMillis) {
        try {
            LOG.log(
                    Level.ERROR,
                    thread.getName() + " failed and goes on in " + restMillis + " ms: " + ErrorText.of(failure),
                    failure);
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
