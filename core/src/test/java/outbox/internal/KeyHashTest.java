package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyHashTest {

    /** Stored rows hold these numbers, so they may never change. Computed by Python: {@code zlib.crc32(b) >> 1}. */
    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "a, 1952177953",
        "order-42, 737903471",
        "user-123, 1362375975",
        "Grüße, 2112469048",
        "日本語, 1409657202",
        "😀, 44489378"
    })
    void isTheSameForEver(String key, int hash) {
        assertThat(KeyHash.of(key)).isEqualTo(hash);
    }

    @Test
    void isTheSameForEverForTheLongestKey() {
        assertThat(KeyHash.of("x".repeat(255))).isEqualTo(515076588);
    }

    @Test
    void namesTheLaneOfAnEventByItsKeyOrElseByItsId() {
        assertThat(KeyHash.ofLane("k", "an-id")).isEqualTo(KeyHash.of("k"));
        assertThat(KeyHash.ofLane(null, "an-id")).isEqualTo(KeyHash.of("an-id"));
    }

    @Test
    void fitsASignedColumn() {
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        for (int i = 0; i < 10_000; i++) {
            assertThat(KeyHash.of(Long.toHexString(random.nextLong()))).isNotNegative();
        }
    }
}
