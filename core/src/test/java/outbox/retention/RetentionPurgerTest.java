package outbox.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.spi.RetentionStore;
import outbox.util.SettableTime;

final class RetentionPurgerTest {

    @ParameterizedTest(name = "at {0} it is {3} until {1} in {2}")
    @CsvSource({
        // Earlier and later on the same day, and at the very time.
        "2026-06-15T01:00:00Z,        03:00, UTC,           PT2H",
        "2026-06-15T04:00:00Z,        03:00, UTC,           PT23H",
        "2026-06-15T02:59:59.999999Z, 03:00, UTC,           PT0.000001S",
        "2026-06-15T03:00:00Z,        03:00, UTC,           PT24H",
        "2026-06-15T03:00:00.000001Z, 03:00, UTC,           PT23H59M59.999999S",
        // Across midnight, the end of a month and of a year.
        "2026-06-15T23:30:00Z,        00:15, UTC,           PT45M",
        "2026-06-15T00:00:00Z,        00:00, UTC,           PT24H",
        "2026-12-31T22:00:00Z,        03:00, UTC,           PT5H",
        // The day of the zone, not of UTC: 00:30 in Berlin.
        "2026-06-14T22:30:00Z,        03:00, Europe/Berlin, PT2H30M",
        "2026-06-15T01:00:00Z,        23:00, America/New_York, PT2H",
        // The short day: 2026-03-29 has no 02:00 to 03:00 in Berlin.
        "2026-03-28T02:00:00Z,        03:00, Europe/Berlin, PT23H",
        "2026-03-28T23:00:00Z,        03:00, Europe/Berlin, PT2H",
        "2026-03-29T01:00:00Z,        03:00, Europe/Berlin, PT24H",
        // A time that the short day does not have comes as much later as the clock was moved.
        "2026-03-28T23:00:00Z,        02:30, Europe/Berlin, PT2H30M",
        "2026-03-28T01:45:00Z,        02:30, Europe/Berlin, PT23H45M",
        "2026-03-29T01:30:00Z,        02:30, Europe/Berlin, PT23H",
        // The long day: 2026-10-25 has 02:00 to 03:00 twice in Berlin. The first one counts.
        "2026-10-24T02:00:00Z,        03:00, Europe/Berlin, PT24H",
        "2026-10-24T22:00:00Z,        03:00, Europe/Berlin, PT4H",
        "2026-10-24T22:00:00Z,        02:30, Europe/Berlin, PT2H30M",
        "2026-10-25T00:30:00Z,        02:30, Europe/Berlin, PT25H"
    })
    void waitsUntilItsTimeOfDay(Instant now, LocalTime dailyAt, ZoneId zone, Duration expected) {
        RetentionConfig config = RetentionConfig.defaults().withDailyAt(dailyAt, zone);
        RetentionPurger purger = new RetentionPurger((keep, max) -> 0, config, new SettableTime(now));

        assertThat(purger.untilNext()).isEqualTo(expected);
    }

    @Test
    void purgesInChunksUntilOneIsNotFull() {
        Deque<Integer> chunks = new ArrayDeque<>(List.of(1_000, 1_000, 3, 1_000));
        List<String> asked = new ArrayList<>();
        RetentionPurger purger = purgerOf((keep, max) -> {
            asked.add(keep + " " + max);
            return chunks.remove();
        });

        assertThat(purger.purge()).isEqualTo(2_003);
        assertThat(asked).containsExactly("PT168H 1000", "PT168H 1000", "PT168H 1000");
    }

    @Test
    void asksOnceWhenThereIsNothingOld() {
        List<Integer> asked = new ArrayList<>();
        RetentionPurger purger = purgerOf((keep, max) -> {
            asked.add(max);
            return 0;
        });

        assertThat(purger.purge()).isZero();
        assertThat(asked).hasSize(1);
    }

    @Test
    void stopsBetweenChunksWhenItIsClosed() {
        List<RetentionPurger> self = new ArrayList<>();
        RetentionPurger purger = purgerOf((keep, max) -> {
            self.get(0).close();
            return max;
        });
        self.add(purger);

        assertThat(purger.purge()).isEqualTo(1_000);
    }

    @Test
    @Timeout(20)
    void purgesAtItsTimeAndEndsWhenClosed() throws InterruptedException {
        SettableTime time = new SettableTime(Instant.parse("2026-06-15T02:59:59.999Z"));
        CountDownLatch purged = new CountDownLatch(1);
        RetentionPurger purger = new RetentionPurger(
                (keep, max) -> {
                    time.set(Instant.parse("2026-06-15T03:00:01Z"));
                    purged.countDown();
                    return 0;
                },
                RetentionConfig.defaults(),
                time);
        purger.start();
        purged.await();
        purger.close();
    }

    @Test
    void isClosedWithoutHavingBeenStarted() {
        purgerOf((keep, max) -> 0).close();
    }

    private static RetentionPurger purgerOf(RetentionStore store) {
        return new RetentionPurger(
                store, RetentionConfig.defaults(), new SettableTime(Instant.parse("2026-06-15T12:00:00Z")));
    }
}
