package outbox.relay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.dispatch.RetryPolicy;
import outbox.relay.ClusterConfig;
import outbox.relay.RelayBuilder;
import outbox.relay.RelayConfig;
import outbox.relay.RelayConfig.ClaimConfig;
import outbox.relay.SettleConfig;
import outbox.relay.SettleConfig.OnDeadEvent;
import outbox.retention.RetentionConfig;
import outbox.spi.Settings;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;

class RelaySettingsTest {

    @Test
    void isAsTheRecordsOfTheEngineHaveItWhereNothingIsSet() {
        RelaySettings plan = RelaySettings.read(settings(Map.of()), "node-1");
        RelayConfig defaults = RelayConfig.of("node-1");

        assertThat(plan.config().terms()).isEqualTo(defaults.terms());
        assertThat(plan.config().cluster()).isEqualTo(defaults.cluster());
        assertThat(plan.config().claim()).isEqualTo(defaults.claim());
        assertThat(plan.config().settle().withRetryPolicy(defaults.settle().retryPolicy()))
                .isEqualTo(defaults.settle());
        assertThat(plan.workers()).isEqualTo(RelayBuilder.WORKERS_DEFAULT);
        assertThat(plan.retention()).contains(RetentionConfig.defaults());
    }

    @Test
    void readsEverySetting() {
        Settings settings = settings(Map.ofEntries(
                Map.entry("claim-strategy", "lease"),
                Map.entry("partitions", "12"),
                Map.entry("weight", "0"),
                Map.entry("heartbeat", "30s"),
                Map.entry("node-timeout", "2m"),
                Map.entry("drain-timeout", "0"),
                Map.entry("fetch-events-max", "100"),
                Map.entry("memory-events-max", "500"),
                Map.entry("memory-bytes-max", "2_000_000"),
                Map.entry("poll-interval-max", "2s"),
                Map.entry("claim-lease", "5m"),
                Map.entry("max-attempts", "3"),
                Map.entry("retry-base-delay", "7s"),
                Map.entry("retry-max-delay", "7s"),
                Map.entry("done-events", "delete"),
                Map.entry("on-dead-event", "pause-key"),
                Map.entry("give-up-after", "2d"),
                Map.entry("deaths-max", "7"),
                Map.entry("settle-linger", "0"),
                Map.entry("workers", "2"),
                Map.entry("retention.keep-done", "30d"),
                Map.entry("retention.daily-at", "04:30"),
                Map.entry("retention.zone", "Europe/Berlin"),
                Map.entry("retention.chunk", "10")));

        RelaySettings plan = RelaySettings.read(settings, "n");
        settings.requireAllKnown();

        RetryPolicy retries = plan.config().settle().retryPolicy();
        assertThat(plan)
                .isEqualTo(new RelaySettings(
                        new RelayConfig(
                                new ClusterLayout(ClaimStrategy.LEASE, 12),
                                new ClusterConfig("n", 0, Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ZERO),
                                new ClaimConfig(100, 500, 2_000_000, Duration.ofSeconds(2), Duration.ofMinutes(5)),
                                new SettleConfig(
                                        3,
                                        retries,
                                        DoneRows.DELETE,
                                        OnDeadEvent.PAUSE_KEY,
                                        Duration.ZERO,
                                        Duration.ofDays(2),
                                        7)),
                        2,
                        java.util.Optional.of(new RetentionConfig(
                                Duration.ofDays(30), LocalTime.of(4, 30), ZoneId.of("Europe/Berlin"), 10))));
        assertThat(retries.computeDelayMs(5)).isBetween(3_500L, 10_500L);
    }

    @Test
    void keepsEverythingIfRetentionIsOff() {
        assertThat(RelaySettings.read(settings(Map.of("retention.enabled", "false")), "n")
                        .retention())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "claim-strategy | hope | must be one of [partitioned, primary, lease], was \"hope\"",
                "partitions | 0 | must be a whole number from 1 to 1024, was \"0\"",
                "node-timeout | 2s | timeout must be at least three heartbeats",
                "memory-events-max | 10 | eventsMax must be from fetchMax (1000)",
                "on-dead-event | halt | must be one of [continue, pause-key], was \"halt\"",
                "retention.daily-at | noon | must be a time of day such as 03:00, was \"noon\"",
                "retention.zone | Moon | must be a time zone such as UTC or Europe/Berlin, was \"Moon\""
            })
    void namesTheWrongSettingAndWhatIsAllowed(String setting, String value, String complaint) {
        assertThatThrownBy(() -> RelaySettings.read(settings(Map.of(setting, value)), "n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("source orders: ")
                .hasMessageContaining(complaint);
    }

    @ParameterizedTest
    @CsvSource({
        "claim, claim-strategy",
        "lease, claim-lease",
        "timeout, node-timeout",
        "drain, drain-timeout",
        "fetch-max, fetch-events-max",
        "poll-max, poll-interval-max",
        "done-rows, done-events",
        "dead-key, on-dead-event (continue or pause-key)"
    })
    void refusesAFormerNameAndNamesTheNewOne(String former, String name) {
        assertThatThrownBy(() -> RelaySettings.read(settings(Map.of(former, "1s")), "n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("source orders: setting " + former + " has been renamed; set " + name + " instead");
    }

    private static Settings settings(Map<String, String> values) {
        return new Settings("source orders", "orders", values);
    }
}
