package outbox.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;

/**
 * The store's time, by which events grow old: the wall clocks of application machines decide nothing. The store is asked
 * once a minute at most, and only while somebody wants to know; the monotonic clock counts on from its answer.
 */
public final class StoreClock {

    private static final Duration ASKED_EVERY = Duration.ofMinutes(1);
    /** While the store has not answered yet. */
    private static final Duration FIRST_ASKED_EVERY = Duration.ofSeconds(1);

    private final Supplier<Instant> store;
    private final TimeSource time;

    /** Written by the thread that asked, read by all: those that come meanwhile count on from the reading before. */
    private volatile @Nullable Reading last;

    // Guarded by this.
    private boolean asked;
    private long askedNanos;

    /** What the store answered, and when it did by the monotonic clock. */
    private record Reading(Instant storeTime, long nanos) {}

    public StoreClock(Supplier<Instant> store, TimeSource time) {
        this.store = store;
        this.time = time;
    }

    /** How long ago something was, by the store's clock. Zero as long as the store has never answered: nothing is old then. */
    public Duration since(Instant then) {
        if (isToAsk()) {
            ask();
        }
        Reading known = last;
        return known == null
                ? Duration.ZERO
                : Duration.between(then, known.storeTime()).plusNanos(time.nanoTime() - known.nanos());
    }

    private synchronized boolean isToAsk() {
        Duration interval = last == null ? FIRST_ASKED_EVERY : ASKED_EVERY;
        boolean due = !asked || time.nanoTime() - askedNanos >= interval.toNanos();
        if (due) {
            asked = true;
            askedNanos = time.nanoTime();
        }
        return due;
    }

    // A store that does not answer fails its other callers as well, who report it. Here what is known goes on counting.
    private void ask() {
        try {
            last = new Reading(store.get(), time.nanoTime());
        } catch (RuntimeException e) {
            // The next caller asks again, after a while.
        }
    }
}
