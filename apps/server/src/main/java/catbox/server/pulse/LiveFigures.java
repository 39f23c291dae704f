package catbox.server.pulse;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.BoundedCount;

/**
 * The figures of a source on this node for one second.
 *
 * @param latencyP50Millis from publishing to acknowledgement; null if nothing was delivered
 * @param pending the count of the last statistics; null if they are unknown, and so are all that follow
 * @param oldestPendingSeconds 0 if nothing is pending
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
