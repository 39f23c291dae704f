package outbox.dispatch;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import outbox.spi.TimeSource;

/** Tracks events in memory. With a time to live, an entry that was not released can be acquired again after it. */
public final class DefaultInFlightTracker implements InFlightTracker {

    private final ConcurrentHashMap<String, Long> acquiredAt = new ConcurrentHashMap<>();
    private final long ttlNanos; // 0: entries stay until they are released
    private final TimeSource time;

    public DefaultInFlightTracker() {
        this(0, TimeSource.SYSTEM);
    }

    public DefaultInFlightTracker(long ttlMs) {
        this(requirePositive(ttlMs), TimeSource.SYSTEM);
    }

    DefaultInFlightTracker(long ttlMs, TimeSource time) {
        this.ttlNanos = TimeUnit.MILLISECONDS.toNanos(ttlMs);
        this.time = time;
    }

    @Override
    public boolean tryAcquire(String eventId) {
        long now = time.nanoTime();
        Long acquired = acquiredAt.putIfAbsent(eventId, now);
        return acquired == null || (isStale(acquired, now) && acquiredAt.replace(eventId, acquired, now));
    }

    @Override
    public void release(String eventId) {
        acquiredAt.remove(eventId);
    }

    private boolean isStale(long acquired, long now) {
        return ttlNanos > 0 && now - acquired >= ttlNanos;
    }

    private static long requirePositive(long ttlMs) {
        if (ttlMs < 1) {
            throw new IllegalArgumentException("ttlMs must be at least 1, was " + ttlMs);
        }
        return ttlMs;
    }
}
