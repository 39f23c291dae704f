package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdRangeTest {

    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
    private static final Instant FROM = Instant.parse("2026-05-01T00:00:00Z");
    private static final Instant BEFORE = Instant.parse("2026-05-02T00:00:00Z");

    @Test
    void holdsTheIdsOfItsTimeAndOfTheMarginAroundIt() {
        List<IdRange> ranges = IdRange.createdIn(FROM, BEFORE, NOW, IdRange.Margin.OF_A_CHECK);
        assertThat(holds(ranges, madeAt(FROM))).isTrue();
        assertThat(holds(ranges, madeAt(FROM.minusSeconds(59)))).isTrue();
        assertThat(holds(ranges, madeAt(BEFORE.plusSeconds(9)))).isTrue();
        assertThat(holds(ranges, madeAt(FROM.minusSeconds(61)))).isFalse();
        assertThat(holds(ranges, madeAt(BEFORE.plusSeconds(11)))).isFalse();
        assertThat(holds(ranges, madeAt(NOW))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "f47ac10b-58cc-4372-a567-0e02b2c3d479",
                "018f3c2e-58cc-7372-a567-0e02b2c3d479",
                "order-17",
                "17",
                "00000000-0000-0000-0000-000000000000"
            })
    void holdsIdsThatTellNoTimeWhateverTheTime(String foreign) {
        assertThat(holds(IdRange.createdIn(FROM, BEFORE, NOW, IdRange.Margin.OF_A_CHECK), foreign))
                .isTrue();
        assertThat(holds(IdRange.createdIn(null, BEFORE, NOW, IdRange.Margin.OF_A_CHECK), foreign))
                .isTrue();
        assertThat(holds(IdRange.createdIn(FROM, null, NOW, IdRange.Margin.OF_A_CHECK), foreign))
                .isTrue();
    }

    @Test
    void noIdIsInTwoRanges() {
        Random random = new Random(1);
        for (Duration far : List.of(Duration.ZERO, Duration.ofDays(5_000), Duration.ofDays(-20_000))) {
            List<IdRange> ranges = IdRange.createdIn(FROM.plus(far), BEFORE.plus(far), NOW, IdRange.Margin.OF_AN_ACT);
            for (int i = 0; i < 1_000; i++) {
                String id = madeAt(Instant.ofEpochMilli(random.nextLong(1L << 44)));
                assertThat(ranges.stream().filter(range -> holds(range, id)).count())
                        .isLessThanOrEqualTo(1);
            }
        }
    }

    private static String madeAt(Instant time) {
        return new Ulids(() -> time, new Random(2)).next();
    }

    private static boolean holds(List<IdRange> ranges, String id) {
        return ranges.stream().anyMatch(range -> holds(range, id));
    }

    private static boolean holds(IdRange range, String id) {
        @Nullable String from = range.from();
        @Nullable String before = range.before();
        return (from == null || id.compareTo(from) >= 0) && (before == null || id.compareTo(before) < 0);
    }
}
