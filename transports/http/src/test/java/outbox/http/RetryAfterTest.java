package outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    @Test
    void readsSecondsAndDates() {
        assertThat(RetryAfter.parse("120", NOW)).isEqualTo(Duration.ofMinutes(2));
        assertThat(RetryAfter.parse(" 1 ", NOW)).isEqualTo(Duration.ofSeconds(1));
        assertThat(RetryAfter.parse("Sun, 15 Nov 2026 12:00:30 GMT", NOW)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void waitsAnHourAtMost() {
        assertThat(RetryAfter.parse("3601", NOW)).isEqualTo(Duration.ofHours(1));
        assertThat(RetryAfter.parse("999999999999999999", NOW)).isEqualTo(Duration.ofHours(1));
        assertThat(RetryAfter.parse("Tue, 15 Nov 2050 12:00:00 GMT", NOW)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void ignoresValuesWithoutAWait() {
        for (String nothing : new String[] {null, "", "0", "-5", "soon", "1.5", "Sun, 15 Nov 2026 11:00:00 GMT"}) {
            assertThat(RetryAfter.parse(nothing, NOW)).isNull();
        }
    }
}
