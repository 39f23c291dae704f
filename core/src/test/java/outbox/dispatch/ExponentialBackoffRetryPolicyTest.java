package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ExponentialBackoffRetryPolicyTest {

    /** Makes the jitter its least, 0.5. */
    private static final RandomGenerator LEAST = () -> 0L;
    /** Makes the jitter as good as its most, 1.5. */
    private static final RandomGenerator MOST = () -> -1L;

    @ParameterizedTest
    @CsvSource({
        "1, 200",
        "2, 400",
        "3, 800",
        "8, 25600",
        "9, 51200",
        "10, 60000",
        "11, 60000",
        "1000, 60000",
        "2147483647, 60000"
    })
    void doublesUpToTheLimitAndSpreadsByHalf(int attempts, long delay) {
        assertThat(new ExponentialBackoffRetryPolicy(200, 60_000, LEAST).computeDelayMs(attempts))
                .isEqualTo(delay / 2);
        assertThat(new ExponentialBackoffRetryPolicy(200, 60_000, MOST).computeDelayMs(attempts))
                .isEqualTo(delay * 3 / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 9, 10, 64, 1000})
    void spreadsOverTheWholeRange(int attempts) {
        ExponentialBackoffRetryPolicy policy = new ExponentialBackoffRetryPolicy(200, 60_000, new Random(7));
        double delay = Math.min(60_000, 200 * Math.pow(2, attempts - 1));
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < 2_000; i++) {
            long drawn = policy.computeDelayMs(attempts);
            least = Math.min(least, drawn);
            most = Math.max(most, drawn);
        }

        assertThat((double) least).isBetween(delay * 0.5, delay * 0.55);
        assertThat((double) most).isBetween(delay * 1.45, delay * 1.5);
    }

    @Test
    void isRepeatableWithASeed() {
        assertThat(new ExponentialBackoffRetryPolicy(200, 60_000, new Random(1)).computeDelayMs(5))
                .isEqualTo(new ExponentialBackoffRetryPolicy(200, 60_000, new Random(1)).computeDelayMs(5));
    }

    @Test
    void drawsItsOwnChance() {
        ExponentialBackoffRetryPolicy policy = new ExponentialBackoffRetryPolicy(200, 60_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(policy.computeDelayMs(1)).isBetween(100L, 300L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 65, 1000, Integer.MAX_VALUE})
    void neverOverflows(int attempts) {
        for (RandomGenerator random : new RandomGenerator[] {LEAST, MOST}) {
            assertThat(new ExponentialBackoffRetryPolicy(1, Long.MAX_VALUE, random).computeDelayMs(attempts))
                    .isPositive();
            assertThat(new ExponentialBackoffRetryPolicy(Long.MAX_VALUE, Long.MAX_VALUE, random)
                            .computeDelayMs(attempts))
                    .isGreaterThanOrEqualTo(Long.MAX_VALUE / 2);
        }
    }

    @Test
    void waitsAtLeastAMillisecond() {
        assertThat(new ExponentialBackoffRetryPolicy(1, 1, LEAST).computeDelayMs(1))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void refusesABaseThatIsNotPositive(long base) {
        assertThatThrownBy(() -> new ExponentialBackoffRetryPolicy(base, 60_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("baseDelayMs must be at least 1, was " + base);
    }

    @Test
    void refusesALimitBelowTheBase() {
        assertThatThrownBy(() -> new ExponentialBackoffRetryPolicy(200, 199))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxDelayMs must be at least baseDelayMs (200), was 199");
        assertThat(new ExponentialBackoffRetryPolicy(200, 200, LEAST).computeDelayMs(3))
                .isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void refusesADelayBeforeAnyAttempt(int attempts) {
        assertThatThrownBy(() -> new ExponentialBackoffRetryPolicy(200, 60_000).computeDelayMs(attempts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attempts must be at least 1, was " + attempts);
    }
}
