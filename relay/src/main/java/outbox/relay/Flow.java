package outbox.relay;

import java.time.Duration;
import outbox.util.TimeSource;

/**
 * Tells whether events come so fast that who looks again by itself finds some each time: then an event waits less for a
 * look than for the word that it is there. Only who looks touches it.
 */
final class Flow {

    private static final Duration WINDOW = Duration.ofMillis(20);

    /** So many in a window make a flow: below that, most looks would find nothing. */
    private static final int EVENTS_MIN = 12;

    private static final Duration REST_MIN = Duration.ofMillis(1);
    private static final Duration REST_MAX = Duration.ofMillis(10);

    /** How many times as long as a look takes is rested, so that looking takes a quarter of the time at most. */
    private static final int PATIENCE = 3;

    private final TimeSource time;
    private long windowNanos;
    private int events;
    private boolean flowing;
    private Duration rest = REST_MIN;

    Flow(TimeSource time) {
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
        Duration wait = took.multipliedBy(PATIENCE);
        rest = wait.compareTo(REST_MIN) < 0 ? REST_MIN : wait.compareTo(REST_MAX) > 0 ? REST_MAX : wait;
    }

    /** How long to rest before the next look; zero when there is no flow, and the next word is to be waited for. */
    Duration rest() {
        return flowing ? rest : Duration.ZERO;
    }
}
