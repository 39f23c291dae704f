package catbox.server.pulse;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.BoundedCount;

/**
 * One second of a source on this node.
 *
 * @param latencyP50Millis from being stored to being acknowledged; null when nothing was delivered
 * @param pending as of the last look at the store, as far as it counts; null when it is not known, as all that follows
 * @param oldestPendingSeconds 0 when nothing is pending
 */
public record LiveFigures(
        String source,
        Instant at,
        double deliveredPerSecond,
        double failedPerSecond,
        @Nullable Double latencyP50Millis,
        @Nullable Double latencyP99Millis,
        @Nullable BoundedCount pending,
        @Nullable Double oldestPendingSeconds,
        @Nullable BoundedCount dead) {}
