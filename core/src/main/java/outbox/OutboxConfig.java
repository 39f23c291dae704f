package outbox;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every setting of client, dispatcher and poller, with its default. Each is checked when it is set.
 *
 * <p>Set this: {@code dispatcherWorkers}. Tune these: queue capacities, poller and retry settings. Leave these:
 * {@code claimLeaseMs}, {@code settleLingerMs}, {@code drainTimeoutMs}, {@code queueBytesMax}.
 */
public final class OutboxConfig {

    private int dispatcherWorkers = 4;
    private int hotQueueCapacity = 1_000;
    private int coldQueueCapacity = 1_000;
    private long queueBytesMax = 64L * 1024 * 1024;
    private boolean pollerEnabled = true;
    private long pollerIntervalMs = 5_000;
    private int pollerBatchSize = 200;
    private long pollerSkipRecentMs = 1_000;
    private long retryBaseDelayMs = 200;
    private long retryMaxDelayMs = 60_000;
    private int retryMaxAttempts = 10;
    private @Nullable Duration giveUpAfter;
    private int deathsMax = 5;
    private long claimLeaseMs = 30_000;
    private long settleLingerMs = 5;
    private long drainTimeoutMs = 10_000;

    public int dispatcherWorkers() {
        return dispatcherWorkers;
    }

    /** How many events are delivered at the same time. Default: 4. */
    public OutboxConfig setDispatcherWorkers(int dispatcherWorkers) {
        this.dispatcherWorkers = (int) within("dispatcherWorkers", dispatcherWorkers, 1, 10_000);
        return this;
    }

    public int hotQueueCapacity() {
        return hotQueueCapacity;
    }

    /** How many committed events may wait in memory; more are left to the poller. Default: 1,000. */
    public OutboxConfig setHotQueueCapacity(int hotQueueCapacity) {
        this.hotQueueCapacity = (int) within("hotQueueCapacity", hotQueueCapacity, 1, 1_000_000);
        return this;
    }

    public int coldQueueCapacity() {
        return coldQueueCapacity;
    }

    /** How many events the poller may have waiting in memory. Default: 1,000. */
    public OutboxConfig setColdQueueCapacity(int coldQueueCapacity) {
        this.coldQueueCapacity = (int) within("coldQueueCapacity", coldQueueCapacity, 1, 1_000_000);
        return this;
    }

    public long queueBytesMax() {
        return queueBytesMax;
    }

    /** How many payload bytes may wait in both queues together. Default: 64 MiB. */
    public OutboxConfig setQueueBytesMax(long queueBytesMax) {
        this.queueBytesMax = within("queueBytesMax", queueBytesMax, 1, Long.MAX_VALUE);
        return this;
    }

    public boolean pollerEnabled() {
        return pollerEnabled;
    }

    /** Whether this instance polls the store for events that the hot path missed. Default: true. */
    public OutboxConfig setPollerEnabled(boolean pollerEnabled) {
        this.pollerEnabled = pollerEnabled;
        return this;
    }

    public long pollerIntervalMs() {
        return pollerIntervalMs;
    }

    /** The longest pause between two polls. Default: 5,000. */
    public OutboxConfig setPollerIntervalMs(long pollerIntervalMs) {
        this.pollerIntervalMs = within("pollerIntervalMs", pollerIntervalMs, 1, 86_400_000);
        return this;
    }

    public int pollerBatchSize() {
        return pollerBatchSize;
    }

    /** The most events that one poll claims. Default: 200. */
    public OutboxConfig setPollerBatchSize(int pollerBatchSize) {
        this.pollerBatchSize = (int) within("pollerBatchSize", pollerBatchSize, 1, 10_000);
        return this;
    }

    public Duration pollerSkipRecent() {
        return Duration.ofMillis(pollerSkipRecentMs);
    }

    /**
     * With a store without claims, the poller leaves new events younger than this to the hot path. Default: 1,000.
     * Other stores ignore it, because there the events on the hot path are claimed.
     */
    public OutboxConfig setPollerSkipRecentMs(long pollerSkipRecentMs) {
        this.pollerSkipRecentMs = within("pollerSkipRecentMs", pollerSkipRecentMs, 0, 86_400_000);
        return this;
    }

    public long retryBaseDelayMs() {
        return retryBaseDelayMs;
    }

    /** The delay after the first failure. Default: 200. */
    public OutboxConfig setRetryBaseDelayMs(long retryBaseDelayMs) {
        this.retryBaseDelayMs = within("retryBaseDelayMs", retryBaseDelayMs, 1, 86_400_000);
        return this;
    }

    public long retryMaxDelayMs() {
        return retryMaxDelayMs;
    }

    /** The delay that doubling never exceeds. Default: 60,000. */
    public OutboxConfig setRetryMaxDelayMs(long retryMaxDelayMs) {
        this.retryMaxDelayMs = within("retryMaxDelayMs", retryMaxDelayMs, 1, 7 * 86_400_000L);
        return this;
    }

    public int retryMaxAttempts() {
        return retryMaxAttempts;
    }

    /** The number of attempts before an event is dead, unless the event has its own limit. Default: 10. */
    public OutboxConfig setRetryMaxAttempts(int retryMaxAttempts) {
        this.retryMaxAttempts = (int) within("retryMaxAttempts", retryMaxAttempts, 1, 1_000_000);
        return this;
    }

    public int deathsMax() {
        return deathsMax;
    }

    /** An event is dead after this many processes in a row have ended while they had it. Default: 5. */
    public OutboxConfig setDeathsMax(int deathsMax) {
        this.deathsMax = (int) within("deathsMax", deathsMax, 3, 1_000);
        return this;
    }

    public Optional<Duration> giveUpAfter() {
        return Optional.ofNullable(giveUpAfter);
    }

    /**
     * The age, counted from when an event was stored, from which a failure makes it dead, even if its destination is to
     * blame and the attempt does not count. Default: never; an event waits however long an outage lasts.
     */
    public OutboxConfig setGiveUpAfterMs(long giveUpAfterMs) {
        this.giveUpAfter = Duration.ofMillis(within("giveUpAfterMs", giveUpAfterMs, 1, 3_650 * 86_400_000L));
        return this;
    }

    public Duration claimLease() {
        return Duration.ofMillis(claimLeaseMs);
    }

    /** How long a claim lasts after its instance has crashed. A running instance renews its claims. Default: 30,000. */
    public OutboxConfig setClaimLeaseMs(long claimLeaseMs) {
        this.claimLeaseMs = within("claimLeaseMs", claimLeaseMs, 100, 86_400_000);
        return this;
    }

    public Duration settleLinger() {
        return Duration.ofMillis(settleLingerMs);
    }

    /** How long a finished event may wait for others to be settled in the same transaction. Default: 5. */
    public OutboxConfig setSettleLingerMs(long settleLingerMs) {
        this.settleLingerMs = within("settleLingerMs", settleLingerMs, 0, 1_000);
        return this;
    }

    public Duration drainTimeout() {
        return Duration.ofMillis(drainTimeoutMs);
    }

    /** How long close may deliver queued events before it releases the claims of the rest. Default: 10,000. */
    public OutboxConfig setDrainTimeoutMs(long drainTimeoutMs) {
        this.drainTimeoutMs = within("drainTimeoutMs", drainTimeoutMs, 0, 86_400_000);
        return this;
    }

    private static long within(String setting, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(setting + " must be from " + min + " to "
                    + (max == Long.MAX_VALUE ? "any size" : max) + ", was " + value);
        }
        return value;
    }
}
