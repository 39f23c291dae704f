package outbox.retention;

import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;

/**
 * How long done events are kept, and when older ones are removed.
 *
 * @param keepDone how long a done event stays; default 7 days
 * @param dailyAt the time of day of the purge; default 03:00
 * @param zone the zone of that time; default UTC, in which no hour is skipped or repeated
 * @param chunk how many events one short transaction deletes at most; default 1,000
 */
public record RetentionConfig(Duration keepDone, LocalTime dailyAt, ZoneId zone, int chunk) {

    public RetentionConfig {
        if (keepDone.isNegative()) {
            throw new IllegalArgumentException("keepDone must not be negative, was " + keepDone);
        }
        if (chunk < 1 || chunk > 10_000) {
            throw new IllegalArgumentException("chunk must be from 1 to 10000, was " + chunk);
        }
    }

    public static RetentionConfig defaults() {
        return new RetentionConfig(Duration.ofDays(7), LocalTime.of(3, 0), ZoneId.of("UTC"), 1_000);
    }

    public RetentionConfig withKeepDone(Duration keep) {
        return new RetentionConfig(keep, dailyAt, zone, chunk);
    }

    public RetentionConfig withDailyAt(LocalTime time, ZoneId inZone) {
        return new RetentionConfig(keepDone, time, inZone, chunk);
    }
}
