package outbox.mongodb.internal.driver;

import java.time.Duration;

/**
 * How long MongoDB may take to answer a relay. All of it is below the time-out of a node, so that a node whose database
 * has vanished without a word notices that before others may take over.
 */
public final class AnswerTimes {

    /** Where no node has said how long its time-out is. */
    public static final Duration NODE_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration LEAST = Duration.ofSeconds(1);

    private AnswerTimes() {}

    /** For whatever a relay asks for. */
    public static Duration ofCommand(Duration timeout) {
        return atLeast(timeout.multipliedBy(4).dividedBy(5));
    }

    /** For the transaction of a settlement: the driver gives the attempt to roll it back as much time once more. */
    public static Duration ofTransaction(Duration timeout) {
        return atLeast(timeout.multipliedBy(2).dividedBy(5));
    }

    /** For each of the two commands of a heartbeat: there is to be time for a second heartbeat. */
    public static Duration ofHeartbeatCommand(Duration timeout) {
        return atLeast(timeout.multipliedBy(3).dividedBy(10));
    }

    // Whatever the time-out is, a database that is merely slow should not be taken for one that is gone.
    private static Duration atLeast(Duration most) {
        return most.compareTo(LEAST) < 0 ? LEAST : most;
    }
}
