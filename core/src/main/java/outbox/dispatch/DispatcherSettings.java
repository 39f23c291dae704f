package outbox.dispatch;

import java.time.Duration;
import outbox.OutboxConfig;

/** What the dispatcher needs of the configuration, read once. */
record DispatcherSettings(
        int workers,
        int hotCapacity,
        int coldCapacity,
        long queueBytesMax,
        Duration lease,
        Duration settleLinger,
        Duration drainTimeout) {

    static DispatcherSettings of(OutboxConfig config) {
        if (config.retryMaxDelayMs() < config.retryBaseDelayMs()) {
            throw new IllegalArgumentException("retryMaxDelayMs must be at least retryBaseDelayMs ("
                    + config.retryBaseDelayMs() + "), was " + config.retryMaxDelayMs());
        }
        return new DispatcherSettings(
                config.dispatcherWorkers(),
                config.hotQueueCapacity(),
                config.coldQueueCapacity(),
                config.queueBytesMax(),
                config.claimLease(),
                config.settleLinger(),
                config.drainTimeout());
    }
}
