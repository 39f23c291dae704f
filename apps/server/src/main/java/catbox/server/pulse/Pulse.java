package catbox.server.pulse;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One second of a source on this node.
 *
 * @param latencyP50Millis from being stored to being acknowledged; null when nothing was delivered
 * @param pending as of the last look at the store, as far as it counts; null before the first
 * @param oldestPendingSeconds 0 when nothing is pending
 */
public record Pulse(
        String source,
        Instant at,
        double deliveredPerSecond,
        double failedPerSecond,
        @Nullable Double latencyP50Millis,
        @Nullable Double latencyP99Millis,
        @Nullable Long pending,
        @Nullable Double oldestPendingSeconds,
        @Nullable Long dead) {}
