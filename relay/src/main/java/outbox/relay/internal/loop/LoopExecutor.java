package outbox.relay.internal.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import outbox.internal.OutageLog;
import outbox.internal.SupervisedLoop;
import outbox.relay.internal.model.Pacing;
import outbox.spi.TimeSource;

/**
 * Runs any number of loops on a few threads, so that the number of partitions does not decide how many connections are used
 * at once. The loop that has been due for longest is next.
 *
 * <p>Waking a thread costs more than many an iteration. So one thread watches the earliest deadline, the others wait, and a
 * thread that has finished an iteration takes the next loop that is due. A thread is signalled when a loop is woken, and
 * when the thread that watches the earliest deadline picks up work.
 */
public final class LoopExecutor implements LoopScheduler, AutoCloseable {

    private final TimeSource time;
    private final long failureRestNanos;
    private final OutageLog outages;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition dueSignal = lock.newCondition();
    private final Condition watcherSignal = lock.newCondition();

    // Guarded by the lock, as is the content of the queue.
    private final PriorityQueue<Scheduled> queue;
    private @Nullable Thread watcher;
    private long watchedNanos;

    private final List<SupervisedLoop> threads = new ArrayList<>();

    public LoopExecutor(int size, TimeSource time, Pacing pacing) {
        this.time = time;
        this.failureRestNanos = pacing.failureRestMax().dividedBy(2).toNanos();
        this.outages = new OutageLog(System.getLogger(LoopExecutor.class.getName()), time);
        this.queue = new PriorityQueue<>((one, other) -> Long.compare(one.dueNanos - other.dueNanos, 0));
        for (int i = 1; i <= size; i++) {
            threads.add(new SupervisedLoop("outbox-relay-" + i, this::runNext));
        }
    }

    public LoopExecutor start() {
        threads.forEach(SupervisedLoop::start);
        return this;
    }

    public List<SupervisedLoop> threads() {
        return threads;
    }

    private final class Scheduled implements Handle {
        final String name;
        final Loop loop;
        long dueNanos;
        boolean running;
        boolean wokenWhileRunning;
        boolean ended;

        Scheduled(String name, Loop loop) {
            this.name = name;
            this.loop = loop;
        }

        @Override
        public void wake() {
            lock.lock();
            try {
                if (ended) {
                    return;
                }
                if (running) {
                    wokenWhileRunning = true;
                } else if (dueNanos - time.nanoTime() > 0) {
                    queue.remove(this);
                    enqueue(this, time.nanoTime());
                    signalOne();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void end() {
            lock.lock();
            try {
                ended = true;
                queue.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public Handle add(String name, Loop loop) {
        lock.lock();
        try {
            Scheduled scheduled = new Scheduled(name, loop);
            enqueue(scheduled, time.nanoTime());
            signalOne();
            return scheduled;
        } finally {
            lock.unlock();
        }
    }

    private void enqueue(Scheduled scheduled, long dueNanos) {
        scheduled.dueNanos = dueNanos;
        queue.add(scheduled);
    }

    private void signalOne() {
        if (lock.hasWaiters(dueSignal)) {
            dueSignal.signal();
        } else {
            watcherSignal.signal();
        }
    }

    private boolean runNext() throws InterruptedException {
        Scheduled scheduled = next();
        long rest = failureRestNanos;
        try {
            rest = scheduled.loop.runOnce().toNanos();
            outages.works(scheduled.name);
        } catch (Throwable e) { // Also an Error: this thread has to run the next loop.
            outages.failed(scheduled.name, e);
        } finally {
            finished(scheduled, rest);
        }
        return true;
    }

    private Scheduled next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                Scheduled first = queue.peek();
                if (first != null && first.dueNanos - time.nanoTime() <= 0) {
                    queue.remove();
                    first.running = true;
                    return first;
                }
                if (first == null || isWatched(first)) {
                    dueSignal.await();
                } else {
                    watch(first);
                    try {
                        watcherSignal.awaitNanos(first.dueNanos - time.nanoTime());
                    } finally {
                        stopWatching();
                    }
                }
            }
        } finally {
            Scheduled then = queue.peek();
            if (then != null && !isWatched(then)) {
                signalOne();
            }
            lock.unlock();
        }
    }

    private boolean isWatched(Scheduled scheduled) {
        return watcher != null && watchedNanos - scheduled.dueNanos <= 0;
    }

    private void watch(Scheduled scheduled) {
        watcher = Thread.currentThread();
        watchedNanos = scheduled.dueNanos;
    }

    private void stopWatching() {
        if (Thread.currentThread()
                .equals(watcher)) { // Unless another thread watches now, for a loop that is due sooner.
            watcher = null;
        }
    }

    private void finished(Scheduled scheduled, long restNanos) {
        lock.lock();
        try {
            scheduled.running = false;
            if (!scheduled.ended) {
                enqueue(scheduled, time.nanoTime() + (scheduled.wokenWhileRunning ? 0 : restNanos));
            }
            scheduled.wokenWhileRunning = false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        threads.forEach(SupervisedLoop::interrupt);
        try {
            for (SupervisedLoop thread : threads) {
                thread.join(SupervisedLoop.STOP_WAIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
