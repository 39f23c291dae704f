package outbox.mongodb.internal.driver;

import java.time.Duration;

/**
 * Limits how long MongoDB may take to answer a relay. Every limit is below the time-out of a node, so a node whose
 * database stops answering notices that before other nodes may take over.
 */
public final class AnswerTimes {

    /** The default time-out of a node. */
    public static final Duration NODE_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration LEAST = Duration.ofSeconds(1);

    private AnswerTimes() {}

    /** The limit of a single command. */
    public static Duration ofCommand(Duration timeout) {
        return atLeast(timeout.multipliedBy(4).dividedBy(5));
    }

    /** The limit of a settlement's transaction: the driver allows the same time again for its rollback. */
    public static Duration ofTransaction(Duration timeout) {
        return atLeast(timeout.multipliedBy(2).dividedBy(5));
    }

    /** The limit of each of a heartbeat's two commands, which leaves time for a second heartbeat. */
    public static Duration ofHeartbeatCommand(Duration timeout) {
        return atLeast(timeout.multipliedBy(3).dividedBy(10));
    }

    // Even with a short time-out, a slow database must not count as unreachable.
    private static Duration atLeast(Duration limit) {
        return limit.compareTo(LEAST) < 0 ? LEAST : limit;
    }
}
