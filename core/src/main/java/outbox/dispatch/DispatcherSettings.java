package outbox.dispatch;

import java.time.Duration;
import outbox.Ordering;
import outbox.OutboxConfig;

/** What the dispatcher needs of the configuration, read once. */
record DispatcherSettings(
        Ordering ordering,
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
                config.ordering(),
                config.dispatcherWorkers(),
                config.hotQueueCapacity(),
                config.coldQueueCapacity(),
                config.queueBytesMax(),
                config.claimLease(),
                // In order, the next event of a key waits for the settlement of this one.
                config.ordering() == Ordering.KEY ? Duration.ZERO : config.settleLinger(),
                config.drainTimeout());
    }
}
