package outbox.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RetentionConfigTest {

    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final LocalTime THREE = LocalTime.of(3, 0);

    @Test
    void keepsAWeekAndPurgesAtThree() {
        assertThat(RetentionConfig.defaults()).isEqualTo(new RetentionConfig(Duration.ofDays(7), THREE, UTC, 1_000));
    }

    @Test
    void changesOneThingAtATime() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");

        assertThat(RetentionConfig.defaults().withKeepDone(Duration.ofHours(1)))
                .isEqualTo(new RetentionConfig(Duration.ofHours(1), THREE, UTC, 1_000));
        assertThat(RetentionConfig.defaults().withDailyAt(LocalTime.NOON, berlin))
                .isEqualTo(new RetentionConfig(Duration.ofDays(7), LocalTime.NOON, berlin, 1_000));
    }

    @Test
    void refusesToKeepForLessThanNoTime() {
        assertThat(RetentionConfig.defaults().withKeepDone(Duration.ZERO).keepDone())
                .isZero();
        assertThatThrownBy(() -> RetentionConfig.defaults().withKeepDone(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("keepDone must not be negative, was PT-0.001S");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10_000})
    void takesChunksOfAReasonableSize(int chunk) {
        assertThat(new RetentionConfig(Duration.ZERO, THREE, UTC, chunk).chunk())
                .isEqualTo(chunk);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 10_001})
    void refusesOtherChunks(int chunk) {
        assertThatThrownBy(() -> new RetentionConfig(Duration.ZERO, THREE, UTC, chunk))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("chunk must be from 1 to 10000, was " + chunk);
    }
}
