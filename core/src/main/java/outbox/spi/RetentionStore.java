package outbox.spi;

import java.time.Duration;

/** Removes what is done and old. */
public interface RetentionStore {

    /** Deletes at most {@code max} events that were done longer ago than this; returns how many. Never waits for a lock. */
    int purgeDone(Duration olderThan, int max);
}
