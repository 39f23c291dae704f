package outbox.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;

/**
 * Measures the age of events by the store's clock, so that the wall clocks of application machines do not matter. It
 * asks the store once a minute at most, when an age is needed, and adds the monotonic time since the answer.
 */
public final class StoreClock {

    private static final Duration ASKED_EVERY = Duration.ofMinutes(1);
    /** Used until the store has answered once. */
    private static final Duration FIRST_ASKED_EVERY = Duration.ofSeconds(1);

    private final Supplier<Instant> store;
    private final TimeSource time;

    /** Written by the thread that asked, read by all. Other threads use the previous reading meanwhile. */
    private volatile @Nullable Reading last;

    // Guarded by this.
    private boolean asked;
    private long askedNanos;

    /** The store's time, and the monotonic time of its answer. */
    private record Reading(Instant storeTime, long nanos) {}

    public StoreClock(Supplier<Instant> store, TimeSource time) {
        this.store = store;
        this.time = time;
    }

    /** The time since then by the store's clock; zero until the store has answered once. */
    public Duration since(Instant then) {
        if (shouldAsk()) {
            ask();
        }
        Reading known = last;
        return known == null
                ? Duration.ZERO
                : Duration.between(then, known.storeTime()).plusNanos(time.nanoTime() - known.nanos());
    }

    private synchronized boolean shouldAsk() {
        Duration interval = last == null ? FIRST_ASKED_EVERY : ASKED_EVERY;
        boolean due = !asked || time.nanoTime() - askedNanos >= interval.toNanos();
        if (due) {
            asked = true;
            askedNanos = time.nanoTime();
        }
        return due;
    }

    // When the store does not answer, its other callers fail as well and report it. The previous reading stays in use.
    private void ask() {
        try {
            last = new Reading(store.get(), time.nanoTime());
        } catch (RuntimeException e) {
            // A later caller asks again.
        }
    }
}
