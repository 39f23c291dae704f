package outbox.relay.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.internal.SettleRule;
import outbox.relay.ClusterConfig;
import outbox.relay.RelayBuilder;
import outbox.relay.RelayConfig;
import outbox.relay.RelayConfig.ClaimConfig;
import outbox.relay.SettleConfig;
import outbox.retention.RetentionConfig;
import outbox.spi.Settings;
import outbox.spi.SettleRequest.DoneRows;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Member;

/**
 * The settings of a relay.
 *
 * @param workers the number of partitions that are worked on at the same time
 * @param retention when old done events are purged; empty for never
 */
public record RelaySettings(RelayConfig config, int workers, Optional<RetentionConfig> retention) {

    private static final Map<String, String> NEW_NAMES = Map.of(
            "claim", "claim-strategy",
            "lease", "claim-lease",
            "timeout", "node-timeout",
            "drain", "drain-timeout",
            "fetch-max", "fetch-events-max",
            "poll-max", "poll-interval-max",
            "done-rows", "done-events",
            "dead-key", "on-dead-event (continue or pause-key)");

    /**
     * Reads the settings that are given. The configuration records of the relay have the defaults of the others.
     *
     * @param nodeId this node's name, as operators see it
     * @throws IllegalArgumentException naming the setting that is wrong and what is allowed
     */
    public static RelaySettings read(Settings settings, String nodeId) {
        settings.refuseFormerNames(NEW_NAMES);
        return settings.checked(() -> new RelaySettings(
                new RelayConfig(terms(settings), cluster(settings, nodeId), claim(settings), settle(settings)),
                settings.number("workers", RelayBuilder.WORKERS_DEFAULT, 1, 256),
                retention(settings)));
    }

    private static ClusterLayout terms(Settings settings) {
        return new ClusterLayout(
                settings.oneOf("claim-strategy", ClaimStrategy.class, ClaimStrategy.PARTITIONED),
                settings.number("partitions", RelayConfig.PARTITIONS_DEFAULT, 1, ClusterLayout.PARTITIONS_MAX));
    }

    private static ClusterConfig cluster(Settings settings, String nodeId) {
        ClusterConfig defaults = ClusterConfig.of(nodeId);
        return new ClusterConfig(
                nodeId,
                settings.number("weight", defaults.weight(), 0, Member.WEIGHT_MAX),
                settings.duration("heartbeat", defaults.heartbeat()),
                settings.duration("node-timeout", defaults.timeout()),
                settings.durationOrZero("drain-timeout", defaults.drain()));
    }

    private static ClaimConfig claim(Settings settings) {
        ClaimConfig defaults = ClaimConfig.defaults();
        int fetchMax = settings.number("fetch-events-max", defaults.fetchMax(), 1, 10_000);
        return new ClaimConfig(
                fetchMax,
                settings.number("memory-events-max", Math.max(fetchMax, defaults.eventsMax()), 1, 1_000_000),
                settings.number("memory-bytes-max", (int) defaults.bytesMax(), 1 << 20, Integer.MAX_VALUE),
                settings.duration("poll-interval-max", defaults.pollMax()),
                settings.duration("claim-lease", defaults.lease()));
    }

    private static SettleConfig settle(Settings settings) {
        SettleConfig defaults = SettleConfig.defaults();
        return new SettleConfig(
                settings.number("max-attempts", defaults.maxAttempts(), 1, 1_000_000),
                new ExponentialBackoffRetryPolicy(
                        settings.duration("retry-base-delay", SettleConfig.RETRY_BASE_DELAY)
                                .toMillis(),
                        settings.duration("retry-max-delay", SettleConfig.RETRY_MAX_DELAY)
                                .toMillis()),
                settings.oneOf("done-events", DoneRows.class, defaults.doneRows()),
                settings.oneOf("on-dead-event", SettleConfig.OnDeadEvent.class, defaults.onDeadEvent()),
                settings.durationOrZero("settle-linger", defaults.linger()),
                settings.text("give-up-after").isPresent() ? settings.duration("give-up-after", Duration.ZERO) : null,
                settings.number("deaths-max", defaults.deathsMax(), SettleRule.DEATHS_MAX_LEAST, 1_000));
    }

    private static Optional<RetentionConfig> retention(Settings settings) {
        RetentionConfig defaults = RetentionConfig.defaults();
        RetentionConfig read = new RetentionConfig(
                settings.durationOrZero("retention.keep-done", defaults.keepDone()),
                settings.parsed("retention.daily-at", RetentionTimes::time).orElse(defaults.dailyAt()),
                settings.parsed("retention.zone", RetentionTimes::zone).orElse(defaults.zone()),
                settings.number("retention.chunk", defaults.chunk(), 1, 10_000));
        return settings.flag("retention.enabled", true) ? Optional.of(read) : Optional.empty();
    }

    /** Parses times, with errors that show the format. */
    private static final class RetentionTimes {

        static LocalTime time(String text) {
            try {
                return LocalTime.parse(text);
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException("must be a time of day such as 03:00, was \"" + text + "\"", e);
            }
        }

        static ZoneId zone(String text) {
            try {
                return ZoneId.of(text);
            } catch (DateTimeException e) {
                throw new IllegalArgumentException(
                        "must be a time zone such as UTC or Europe/Berlin, was \"" + text + "\"", e);
            }
        }
    }
}
