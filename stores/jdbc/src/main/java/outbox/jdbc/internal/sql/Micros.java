package outbox.jdbc.internal.sql;

import java.time.Duration;

/** Durations as databases count them. */
public final class Micros {

    /** A century: far enough for any delay, and within what every database adds to a date. */
    private static final Duration MAX = Duration.ofDays(36_500);

    private Micros() {}

    public static long of(Duration duration) {
        return (duration.compareTo(MAX) > 0 ? MAX : duration).toNanos() / 1_000;
    }
}
