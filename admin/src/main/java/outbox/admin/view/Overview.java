package outbox.admin.view;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.OutboxStatistics.TypeLatency;
import outbox.spi.relay.Pause;

/**
 * The state of a source in figures.
 *
 * @param oldestPendingAge since the oldest pending event came due; null when nothing is pending
 * @param latencies of the latest done events, from being stored to being done
 * @param nodes alive
 * @param partitionsWithoutOwner how many of the partitions
 */
public record Overview(
        BoundedCount pending,
        @Nullable Duration oldestPendingAge,
        BoundedCount dead,
        List<TypeLatency> latencies,
        int nodes,
        int partitions,
        int partitionsWithoutOwner,
        List<Pause> pauses) {}
