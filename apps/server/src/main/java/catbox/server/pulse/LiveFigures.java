package catbox.server.pulse;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.spi.operations.BoundedCount;

/**
 * The figures of a source on this node for one second.
 *
 * @param latencyP50Millis from insert to acknowledgement; null if no event was delivered
 * @param pending as of the last query of the store, which counts up to a limit; null if unknown
 * @param oldestPendingSeconds 0 if no event is pending; null if unknown
 * @param dead as of the last query of the store; null if unknown
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
