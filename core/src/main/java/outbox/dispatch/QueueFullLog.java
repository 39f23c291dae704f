package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import outbox.spi.TimeSource;

/** Warns of events that the hot queue could not take, at most once a second. */
final class QueueFullLog {

    private static final Logger LOG = System.getLogger(OutboxDispatcher.class.getName());
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TimeSource time;
    private final AtomicLong since = new AtomicLong();
    private final AtomicLong lastAt;

    QueueFullLog(TimeSource time) {
        this.time = time;
        this.lastAt = new AtomicLong(time.nanoTime() - EVERY_NANOS);
    }

    void dropped(String eventId) {
        since.incrementAndGet();
        long now = time.nanoTime();
        long last = lastAt.get();
        if (now - last >= EVERY_NANOS && lastAt.compareAndSet(last, now)) {
            LOG.log(
                    Level.WARNING,
                    "the hot queue is full: {0} event(s) left to the poller, the latest is {1}",
                    since.getAndSet(0),
                    eventId);
        }
    }
}
