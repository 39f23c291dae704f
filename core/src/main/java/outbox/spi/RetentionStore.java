package outbox.spi;

import java.time.Duration;

/** Removes old done events. */
public interface RetentionStore {

    /** Deletes at most {@code max} events that were done longer ago; returns their number. Never waits for a lock. */
    int purgeDone(Duration olderThan, int max);
}
