package outbox.spi.operations;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the outbox.
 *
 * @param oldestPendingAge since the oldest pending event was created, or, if it was delayed, since it came due;
 *     null when nothing is pending
 * @param settled figures of the latest done events
 */
public record OutboxStatistics(
        BoundedCount pending, @Nullable Duration oldestPendingAge, BoundedCount dead, Settled settled) {

    /**
     * Figures over a sample of the latest done events.
     *
     * @param retriesAverage failed attempts before success
     */
    public record Settled(int sampled, double retriesAverage, int retriesMax, List<TypeLatency> latencies) {

        public Settled {
            latencies = List.copyOf(latencies);
        }
    }

    /** How long events of one type took from being stored to being done. */
    public record TypeLatency(String eventType, int sampled, Duration average, Duration max) {}
}
