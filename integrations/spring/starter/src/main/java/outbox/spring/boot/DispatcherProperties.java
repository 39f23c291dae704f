package outbox.spring.boot;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;
import outbox.Ordering;
import outbox.OutboxConfig;

/**
 * The dispatcher's settings, one to one those of {@link OutboxConfig}; what is not set has its default.
 *
 * @param workers How many events are delivered at the same time.
 * @param hotQueueCapacity How many committed events may wait in memory; more are left to the poller.
 * @param coldQueueCapacity How many events the poller may have waiting in memory.
 * @param queueSizeMax How much payload may wait in both queues together.
 * @param pollerEnabled Whether this instance looks into the table for what the hot path missed.
 * @param pollerInterval The longest rest between two looks into the table.
 * @param pollerBatchSize How many events one look claims at most.
 * @param pollerSkipRecent New events younger than this are left to the hot path; only for an EventStore of your own that
 *     knows no claims.
 * @param retryBaseDelay The delay after the first failure.
 * @param retryMaxDelay The delay that doubling never exceeds.
 * @param retryMaxAttempts How often an event is tried before it is dead.
 * @param deathsMax After how many processes in a row that ended while they had it an event is dead.
 * @param claimLease How long a claim outlives an instance that crashed.
 * @param settleLinger How long what is finished may wait for more, so as to share a transaction.
 * @param drainTimeout How long a stop may go on delivering what is queued before the rest is given back.
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

    OutboxConfig toConfig(@Nullable Ordering ordering) {
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
        return ordering == null ? config : config.setOrdering(ordering);
    }

    private static <T> void set(String property, @Nullable T value, Consumer<T> setter) {
        if (value == null) {
            return;
        }
        try {
            setter.accept(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidOutboxPropertiesException("outbox.dispatcher." + property + ": " + e.getMessage(), e);
        }
    }
}
