package outbox.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The hot and the cold queue, bounded each in events and together in payload bytes. Hot events are taken first.
 *
 * <p>The semaphore counts what lies in both queues: a taker that got a permit finds an event in one of them.
 */
final class EventQueues {

    private final ArrayBlockingQueue<QueuedEvent> hot;
    private final ArrayBlockingQueue<QueuedEvent> cold;
    private final Semaphore waiting = new Semaphore(0);
    private final AtomicLong bytes = new AtomicLong();
    private final long bytesMax;

    EventQueues(int hotCapacity, int coldCapacity, long bytesMax) {
        this.hot = new ArrayBlockingQueue<>(hotCapacity);
        this.cold = new ArrayBlockingQueue<>(coldCapacity);
        this.bytesMax = bytesMax;
    }

    boolean offer(QueuedEvent event) {
        int size = event.envelope().payloadSize();
        // An event larger than the whole limit must still pass, alone.
        if (bytes.addAndGet(size) > Math.max(bytesMax, size)) {
            bytes.addAndGet(-size);
            return false;
        }
        ArrayBlockingQueue<QueuedEvent> queue = event.source() == QueuedEvent.Source.HOT ? hot : cold;
        if (!queue.offer(event)) {
            bytes.addAndGet(-size);
            return false;
        }
        waiting.release();
        return true;
    }

    /** The next event, hot before cold, or null when none came in time. */
    @Nullable
    QueuedEvent take(Duration atMost) throws InterruptedException {
        return waiting.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS) ? next() : null;
    }

    /** The next event if there is one now. */
    @Nullable
    QueuedEvent poll() {
        return waiting.tryAcquire() ? next() : null;
    }

    private @Nullable QueuedEvent next() {
        QueuedEvent event = hot.poll();
        if (event == null) {
            event = cold.poll();
        }
        if (event != null) {
            bytes.addAndGet(-event.envelope().payloadSize());
        }
        return event;
    }

    /** Empties both queues. */
    List<QueuedEvent> drain() {
        List<QueuedEvent> all = new ArrayList<>();
        for (QueuedEvent event = poll(); event != null; event = poll()) {
            all.add(event);
        }
        return all;
    }

    /** Whether three quarters of the hot queue, or of the bytes, are taken. */
    boolean isHotNearlyFull() {
        return hot.remainingCapacity() <= hot.size() / 3 || bytes.get() >= bytesMax - bytesMax / 4;
    }

    /** Whether half of the cold queue, and of the bytes, is free. */
    boolean isHalfFree() {
        return cold.remainingCapacity() >= cold.size() && bytesRoom() >= bytesMax / 2;
    }

    int hotDepth() {
        return hot.size();
    }

    int coldDepth() {
        return cold.size();
    }

    int coldRoom() {
        return cold.remainingCapacity();
    }

    long bytesRoom() {
        return Math.max(0, bytesMax - bytes.get());
    }
}
