package catbox.simulation;

import java.time.Duration;
import java.time.Instant;
import outbox.spi.TimeSource;

/** Keeps a real store at the world's time, although its own clock goes on while commands run, and not in between. */
final class StoreTime {

    /** A difference that makes none: bringing the store nearer costs a write each time. */
    private static final Duration GRAIN = Duration.ofMillis(50);

    /** Longer than any command takes: so much may a lease be over before its holder can know. */
    static final Duration ERROR_MAX = Duration.ofSeconds(2);

    private final World world;
    private final RealStore store;
    private final TimeSource clock;
    private final long begun;
    /** What the store's records have been moved by. */
    private long elapsedNanos;

    StoreTime(World world, RealStore store, TimeSource clock) {
        this.world = world;
        this.store = store;
        this.clock = clock;
        this.begun = clock.nanoTime();
    }

    Instant instant() {
        return clock.instant();
    }

    /** Called before whatever counts by the store's clock. */
    void keep() {
        long behind = world.storeNanos() - elapsedNanos - (clock.nanoTime() - begun);
        if (Math.abs(behind) > GRAIN.toNanos()) {
            store.pass(Duration.ofNanos(behind));
            elapsedNanos += behind;
        }
    }
}
