package outbox.poller;

import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import outbox.dispatch.Waker;
import outbox.spi.TimeSource;

/** Keeps the times at which to poll the store. A wake-up during a poll is kept for the next one. */
final class PollSchedule implements Waker {

    private static final int TIMES_MAX = 1_000;
    /** Times are rounded up to this, so that a burst of retries causes one poll. */
    private static final long GRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final TimeSource time;
    private final long startNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Nanoseconds since the start, so that they compare as numbers. Guarded by the lock. */
    private final TreeSet<Long> times = new TreeSet<>();

    PollSchedule(TimeSource time) {
        this.time = time;
        this.startNanos = time.nanoTime();
    }

    @Override
    public void wakeAfter(Duration delay) {
        lock.lock();
        try {
            long due = delay.isZero() ? 0 : roundUp(now() + saturatedNanos(delay));
            // Above the limit the latest time is dropped: the fixed interval covers it.
            if (times.add(due) && times.size() > TIMES_MAX) {
                times.pollLast();
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a poll is due, at most the given time, and removes every time that is due. */
    void await(Duration atMost) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long end = now() + atMost.toNanos();
            while (true) {
                long until = times.isEmpty() ? end : Math.min(end, times.first());
                long left = until - now();
                if (left <= 0) {
                    times.headSet(now(), true).clear();
                    return;
                }
                changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private long now() {
        return time.nanoTime() - startNanos;
    }

    private static long saturatedNanos(Duration delay) {
        return delay.compareTo(Duration.ofDays(365)) > 0 ? Duration.ofDays(365).toNanos() : delay.toNanos();
    }

    private static long roundUp(long nanos) {
        return Math.floorDiv(nanos + GRAIN_NANOS - 1, GRAIN_NANOS) * GRAIN_NANOS;
    }
}
