package outbox.relay.internal.claim;

import java.time.Duration;
import java.util.Arrays;
import outbox.spi.TimeSource;

/**
 * Tells whether events come so fast that who looks again by itself finds some each time: then an event waits less for a
 * look than for the word that it is there. Only who looks touches it.
 */
final class Pacer {

    private static final Duration WINDOW = Duration.ofMillis(20);

    /** So many in a window make a flow: below that, most looks would find nothing. */
    private static final int EVENTS_MIN = 12;

    private static final Duration REST_MIN = Duration.ofMillis(1);
    private static final Duration REST_MAX = Duration.ofMillis(10);

    /** How many times as long as a look takes is rested, so that looking takes a quarter of the time at most. */
    private static final int PATIENCE = 3;

    /** Of so many looks the quickest tells what one takes: what waited for a processor once is no slow store. */
    private static final int LOOKS = 4;

    private final TimeSource time;
    private long windowNanos;
    private int events;
    private boolean flowing;
    private final long[] lastNanos = new long[LOOKS];
    private int next;

    Pacer(TimeSource time) {
        this.time = time;
        this.windowNanos = time.nanoTime();
    }

    /** A look has found so many events, and took so long. */
    void found(int some, Duration took) {
        long age = time.nanoTime() - windowNanos;
        if (age >= WINDOW.toNanos()) {
            // What was found before a window in which nobody has looked is long ago.
            flowing = events >= EVENTS_MIN && age < 2 * WINDOW.toNanos();
            windowNanos += age;
            events = 0;
        }
        events += some;
        lastNanos[next] = took.toNanos();
        next = (next + 1) % LOOKS;
    }

    /** How long to rest before the next look; zero when there is no flow, and the next word is to be waited for. */
    Duration rest() {
        if (!flowing) {
            return Duration.ZERO;
        }
        long quickest = Arrays.stream(lastNanos).min().orElseThrow();
        return Duration.ofNanos(Math.clamp(PATIENCE * quickest, REST_MIN.toNanos(), REST_MAX.toNanos()));
    }
}
