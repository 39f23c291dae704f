package outbox.mongodb.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.bson.BsonTimestamp;
import org.junit.jupiter.api.Test;

class SeqTest {

    private static BsonTimestamp tick(String time, int increment) {
        return new BsonTimestamp((int) Instant.parse(time).getEpochSecond(), increment);
    }

    @Test
    void ascendsWithTheClock() {
        long seq = Seq.of(tick("2026-11-15T00:00:00Z", 1));

        assertThat(seq).isPositive();
        assertThat(Seq.of(tick("2026-11-15T00:00:00Z", 2))).isEqualTo(seq + 1);
        assertThat(Seq.of(tick("2026-11-15T00:00:01Z", 1))).isGreaterThan(seq + Integer.MAX_VALUE);
    }

    @Test
    void staysPositiveWhenTheSecondsNoLongerFitASignedNumber() {
        long before = Seq.of(tick("2038-01-19T03:14:07Z", 1));
        long after = Seq.of(tick("2038-01-19T03:14:08Z", 1));

        assertThat(after).isGreaterThan(before);
        assertThat(Seq.of(tick("2087-01-01T00:00:00Z", 1))).isGreaterThan(after);
    }

    @Test
    void leadsBackToTheTick() {
        BsonTimestamp tick = tick("2050-01-01T00:00:00Z", 7);

        assertThat(Seq.tick(Seq.of(tick))).isEqualTo(tick);
    }

    @Test
    void noPositionIsTooLargeToBeCompared() {
        assertThat(Seq.tick(Long.MAX_VALUE)).isGreaterThan(tick("2080-01-01T00:00:00Z", 1));
        assertThat(Seq.tick(0)).isLessThan(tick("2026-01-01T00:00:00Z", 1));
    }
}
