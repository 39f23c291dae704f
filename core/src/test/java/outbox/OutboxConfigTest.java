package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OutboxConfigTest {

    private static final long DAY_MS = 86_400_000;

    @Test
    void hasTheDefaultsOfTheSpecification() {
        OutboxConfig config = new OutboxConfig();

        assertThat(config.dispatcherWorkers()).isEqualTo(4);
        assertThat(config.hotQueueCapacity()).isEqualTo(1000);
        assertThat(config.coldQueueCapacity()).isEqualTo(1000);
        assertThat(config.pollerEnabled()).isTrue();
        assertThat(config.pollerIntervalMs()).isEqualTo(5000);
        assertThat(config.pollerBatchSize()).isEqualTo(200);
        assertThat(config.pollerSkipRecent()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.retryBaseDelayMs()).isEqualTo(200);
        assertThat(config.retryMaxDelayMs()).isEqualTo(60_000);
        assertThat(config.retryMaxAttempts()).isEqualTo(10);
    }

    @Test
    void hasDefaultsForWhatTheSpecificationLeavesOpen() {
        OutboxConfig config = new OutboxConfig();

        assertThat(config.queueBytesMax()).isEqualTo(64L * 1024 * 1024);
        assertThat(config.giveUpAfter()).isEmpty();
        assertThat(config.deathsMax()).isEqualTo(5);
        assertThat(config.claimLease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.drainTimeout()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void isSetInOneSentence() {
        OutboxConfig config = new OutboxConfig()
                .setDispatcherWorkers(8)
                .setHotQueueCapacity(2000)
                .setPollerBatchSize(500)
                .setPollerEnabled(false);

        assertThat(config.dispatcherWorkers()).isEqualTo(8);
        assertThat(config.hotQueueCapacity()).isEqualTo(2000);
        assertThat(config.pollerBatchSize()).isEqualTo(500);
        assertThat(config.pollerEnabled()).isFalse();
    }

    interface Setter {
        OutboxConfig set(OutboxConfig config, long value);
    }

    record Setting(String name, long min, long max, Setter setter, ToLongFunction<OutboxConfig> getter) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Setting> bounded() {
        return Stream.of(
                new Setting(
                        "dispatcherWorkers",
                        1,
                        10_000,
                        (config, value) -> config.setDispatcherWorkers((int) value),
                        OutboxConfig::dispatcherWorkers),
                new Setting(
                        "hotQueueCapacity",
                        1,
                        1_000_000,
                        (config, value) -> config.setHotQueueCapacity((int) value),
                        OutboxConfig::hotQueueCapacity),
                new Setting(
                        "coldQueueCapacity",
                        1,
                        1_000_000,
                        (config, value) -> config.setColdQueueCapacity((int) value),
                        OutboxConfig::coldQueueCapacity),
                new Setting(
                        "pollerIntervalMs",
                        1,
                        DAY_MS,
                        OutboxConfig::setPollerIntervalMs,
                        OutboxConfig::pollerIntervalMs),
                new Setting(
                        "pollerBatchSize",
                        1,
                        10_000,
                        (config, value) -> config.setPollerBatchSize((int) value),
                        OutboxConfig::pollerBatchSize),
                new Setting(
                        "pollerSkipRecentMs",
                        0,
                        DAY_MS,
                        OutboxConfig::setPollerSkipRecentMs,
                        config -> config.pollerSkipRecent().toMillis()),
                new Setting(
                        "retryBaseDelayMs",
                        1,
                        DAY_MS,
                        OutboxConfig::setRetryBaseDelayMs,
                        OutboxConfig::retryBaseDelayMs),
                new Setting(
                        "retryMaxDelayMs",
                        1,
                        7 * DAY_MS,
                        OutboxConfig::setRetryMaxDelayMs,
                        OutboxConfig::retryMaxDelayMs),
                new Setting(
                        "retryMaxAttempts",
                        1,
                        1_000_000,
                        (config, value) -> config.setRetryMaxAttempts((int) value),
                        OutboxConfig::retryMaxAttempts),
                new Setting(
                        "deathsMax",
                        3,
                        1_000,
                        (config, value) -> config.setDeathsMax((int) value),
                        OutboxConfig::deathsMax),
                new Setting(
                        "claimLeaseMs",
                        100,
                        DAY_MS,
                        OutboxConfig::setClaimLeaseMs,
                        config -> config.claimLease().toMillis()),
                new Setting(
                        "drainTimeoutMs",
                        0,
                        DAY_MS,
                        OutboxConfig::setDrainTimeoutMs,
                        config -> config.drainTimeout().toMillis()));
    }

    @ParameterizedTest
    @MethodSource("bounded")
    void takesBothEndsOfARange(Setting setting) {
        for (long value : new long[] {setting.min(), setting.max()}) {
            OutboxConfig config = new OutboxConfig();

            assertThat(setting.setter().set(config, value)).isSameAs(config);
            assertThat(setting.getter().applyAsLong(config)).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @MethodSource("bounded")
    void refusesWhatLiesOutsideARangeAndNamesIt(Setting setting) {
        OutboxConfig config = new OutboxConfig();
        long before = setting.getter().applyAsLong(config);

        for (long value : new long[] {setting.min() - 1, setting.max() + 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> setting.setter().set(config, value))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "%s must be from %d to %d, was %d", setting.name(), setting.min(), setting.max(), value);
        }
        assertThat(setting.getter().applyAsLong(config)).isEqualTo(before);
    }

    @Test
    void givesUpAtAnAgeOnlyWhenToldTo() {
        assertThat(new OutboxConfig().setGiveUpAfterMs(3_650 * DAY_MS).giveUpAfter())
                .contains(Duration.ofDays(3_650));
        for (long wrong : new long[] {0, -1, 3_650 * DAY_MS + 1}) {
            assertThatThrownBy(() -> new OutboxConfig().setGiveUpAfterMs(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("giveUpAfterMs", "from 1", "was " + wrong);
        }
    }

    @Test
    void takesAnyPositiveNumberOfQueueBytes() {
        assertThat(new OutboxConfig().setQueueBytesMax(1).queueBytesMax()).isEqualTo(1);
        assertThat(new OutboxConfig().setQueueBytesMax(Long.MAX_VALUE).queueBytesMax())
                .isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void refusesAQueueWithoutBytes(long bytes) {
        assertThatThrownBy(() -> new OutboxConfig().setQueueBytesMax(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("queueBytesMax", "from 1", "was " + bytes);
    }
}
