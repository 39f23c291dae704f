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
 * A few threads that give turns to any number of bodies, so that the number of slots does not decide how many
 * connections are used at once. Which body is next is decided by time alone: whoever has waited longest.
 *
 * <p>To wake a thread costs more than many a turn. So one thread watches the clock until the first body is due, the others
 * wait to be called, and who has finished a turn sees for itself what is next. Called is one for a body that is woken, and
 * one to watch the clock when its watcher is called away.
 */
public final class LoopExecutor implements LoopScheduler, AutoCloseable {

    private final TimeSource time;
    private final long failureRestNanos;
    private final OutageLog outages;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition calls = lock.newCondition();
    private final Condition clock = lock.newCondition();

    // Guarded by the lock, as are the places in the queue.
    private final PriorityQueue<Place> queue;
    private @Nullable Thread watcher;
    private long watchedNanos;

    private final List<SupervisedLoop> threads = new ArrayList<>();

    public LoopExecutor(int size, TimeSource time, Pacing pacing) {
        this.time = time;
        this.failureRestNanos = pacing.failureRestMax().dividedBy(2).toNanos();
        this.outages = new OutageLog(System.getLogger(LoopExecutor.class.getName()), time);
        this.queue = new PriorityQueue<>((one, other) -> Long.compare(one.dueNanos - other.dueNanos, 0));
        for (int i = 1; i <= size; i++) {
            threads.add(new SupervisedLoop("outbox-relay-" + i, this::turn));
        }
    }

    public LoopExecutor start() {
        threads.forEach(SupervisedLoop::start);
        return this;
    }

    public List<SupervisedLoop> threads() {
        return threads;
    }

    private final class Place implements Handle {
        final String name;
        final Turn turn;
        long dueNanos;
        boolean running;
        boolean wokenWhileRunning;
        boolean ended;

        Place(String name, Turn turn) {
            this.name = name;
            this.turn = turn;
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
                    callOne();
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
    public Handle add(String name, Turn turn) {
        lock.lock();
        try {
            Place place = new Place(name, turn);
            enqueue(place, time.nanoTime());
            callOne();
            return place;
        } finally {
            lock.unlock();
        }
    }

    private void enqueue(Place place, long dueNanos) {
        place.dueNanos = dueNanos;
        queue.add(place);
    }

    private void callOne() {
        if (lock.hasWaiters(calls)) {
            calls.signal();
        } else {
            clock.signal();
        }
    }

    private boolean turn() throws InterruptedException {
        Place place = next();
        long rest = failureRestNanos;
        try {
            rest = place.turn.runOnce().toNanos();
            outages.works(place.name);
        } catch (Throwable e) { // An Error as well: who has finished a turn is counted on to look for the next.
            outages.failed(place.name, e);
        } finally {
            finished(place, rest);
        }
        return true;
    }

    private Place next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                Place first = queue.peek();
                if (first != null && first.dueNanos - time.nanoTime() <= 0) {
                    queue.remove();
                    first.running = true;
                    return first;
                }
                if (first == null || isWatched(first)) {
                    calls.await();
                } else {
                    watch(first);
                    try {
                        clock.awaitNanos(first.dueNanos - time.nanoTime());
                    } finally {
                        watchNoMore();
                    }
                }
            }
        } finally {
            Place then = queue.peek();
            if (then != null && !isWatched(then)) {
                callOne();
            }
            lock.unlock();
        }
    }

    private boolean isWatched(Place place) {
        return watcher != null && watchedNanos - place.dueNanos <= 0;
    }

    private void watch(Place place) {
        watcher = Thread.currentThread();
        watchedNanos = place.dueNanos;
    }

    private void watchNoMore() {
        if (Thread.currentThread()
                .equals(watcher)) { // Unless somebody else watches now, for a place that is due sooner.
            watcher = null;
        }
    }

    private void finished(Place place, long restNanos) {
        lock.lock();
        try {
            place.running = false;
            if (!place.ended) {
                enqueue(place, time.nanoTime() + (place.wokenWhileRunning ? 0 : restNanos));
            }
            place.wokenWhileRunning = false;
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
