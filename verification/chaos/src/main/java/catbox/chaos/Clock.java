package catbox.chaos;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The clock that all processes of this machine share, in microseconds. */
final class Clock {

    private Clock() {}

    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
