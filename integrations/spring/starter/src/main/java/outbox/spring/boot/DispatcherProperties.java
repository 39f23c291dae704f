package outbox.spring.boot;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;
import outbox.OutboxConfig;

/**
 * Settings of the dispatcher. Each corresponds to one of {@link OutboxConfig} and has its default there.
 *
 * @param workers Number of events that are delivered at the same time.
 * @param hotQueueCapacity Number of committed events that may wait in memory; the poller claims the others.
 * @param coldQueueCapacity Number of claimed events that the poller may have waiting in memory.
 * @param queueSizeMax Size of all payloads that may wait in both queues together.
 * @param pollerEnabled Whether this instance polls the table for events that the hot path missed.
 * @param pollerInterval Longest time between two polls.
 * @param pollerBatchSize Most events that one poll claims.
 * @param pollerSkipRecent Age below which new events are left to the hot path; only for your own EventStore without
 * claims.
 * @param retryBaseDelay Delay after the first failure.
 * @param retryMaxDelay Delay that doubling never exceeds.
 * @param retryMaxAttempts Number of attempts after which an event is dead.
 * @param deathsMax Number of consecutive processes that may end while they have an event, before the event is dead.
 * @param claimLease Time for which a claim outlives an instance that crashed.
 * @param settleLinger Time for which a delivered event may wait for others, so that they share a transaction.
 * @param drainTimeout Time in which a stopping dispatcher delivers queued events before it releases the rest.
 */
public record DispatcherProperties(
        @Nullable Integer workers,
        @Nullable Integer hotQueueCapacity,
        @Nullable Integer coldQueueCapacity,
        @Nullable DataSize queueSizeMax,
        @Nullable Boolean pollerEnabled,
        @Nullable Duration pollerInterval,
        @Nullable Integer pollerBatchSize,
        @Nullable Duration pollerSkipRecent,
        @Nullable Duration retryBaseDelay,
        @Nullable Duration retryMaxDelay,
        @Nullable Integer retryMaxAttempts,
        @Nullable Integer deathsMax,
        @Nullable Duration claimLease,
        @Nullable Duration settleLinger,
        @Nullable Duration drainTimeout) {

    OutboxConfig toConfig() {
        OutboxConfig config = new OutboxConfig();
        set("workers", workers, config::setDispatcherWorkers);
        set("hot-queue-capacity", hotQueueCapacity, config::setHotQueueCapacity);
        set("cold-queue-capacity", coldQueueCapacity, config::setColdQueueCapacity);
        set("queue-size-max", queueSizeMax, size -> config.setQueueBytesMax(size.toBytes()));
        set("poller-enabled", pollerEnabled, config::setPollerEnabled);
        set("poller-interval", pollerInterval, time -> config.setPollerIntervalMs(time.toMillis()));
        set("poller-batch-size", pollerBatchSize, config::setPollerBatchSize);
        set("poller-skip-recent", pollerSkipRecent, time -> config.setPollerSkipRecentMs(time.toMillis()));
        set("retry-base-delay", retryBaseDelay, time -> config.setRetryBaseDelayMs(time.toMillis()));
        set("retry-max-delay", retryMaxDelay, time -> config.setRetryMaxDelayMs(time.toMillis()));
        set("retry-max-attempts", retryMaxAttempts, config::setRetryMaxAttempts);
        set("deaths-max", deathsMax, config::setDeathsMax);
        set("claim-lease", claimLease, time -> config.setClaimLeaseMs(time.toMillis()));
        set("settle-linger", settleLinger, time -> config.setSettleLingerMs(time.toMillis()));
        set("drain-timeout", drainTimeout, time -> config.setDrainTimeoutMs(time.toMillis()));
        return config;
    }

    private static <T> void set(String property, @Nullable T value, Consumer<T> setter) {
        if (value == null) {
            return;
        }
        ConfiguredRoutes.read("outbox.dispatcher." + property, () -> {
            setter.accept(value);
            return value;
        });
    }
}
