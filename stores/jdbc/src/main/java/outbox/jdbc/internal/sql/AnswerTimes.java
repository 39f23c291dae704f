package outbox.jdbc.internal.sql;

import java.time.Duration;

/**
 * How long a database may take to answer a relay. All of it is below the time-out of a node, so that a node whose
 * database has vanished notices that before others may take over.
 */
public final class AnswerTimes {

    private static final Duration LEAST = Duration.ofSeconds(1);

    /** However long a lease is. */
    public static final Duration MOST = Duration.ofMinutes(1);

    /** Where no node has said how long its time-out is: the default time-out is ten seconds. */
    public static final Duration DEFAULT = ofSettlement(Duration.ofSeconds(10));

    private AnswerTimes() {}

    /** For settlements, and for everything else that a relay asks for. */
    public static Duration ofSettlement(Duration timeout) {
        return atLeast(timeout.multipliedBy(4).dividedBy(5));
    }

    /** For claims: a database that has vanished is noticed before another instance may take them. */
    public static Duration ofLease(Duration lease) {
        Duration most = ofSettlement(lease);
        return most.compareTo(MOST) > 0 ? MOST : most;
    }

    /** For heartbeats: there is to be time for a second one, on another connection. */
    public static Duration ofHeartbeat(Duration timeout) {
        return atLeast(timeout.multipliedBy(3).dividedBy(5));
    }

    /** For a statement to be given up by the database itself, which leaves the connection intact. */
    public static Duration ofStatement(Duration answerMax) {
        return atLeast(answerMax.multipliedBy(4).dividedBy(5));
    }

    // Whatever the time-out is, a database that is merely slow should not be taken for one that is gone.
    private static Duration atLeast(Duration most) {
        return most.compareTo(LEAST) < 0 ? LEAST : most;
    }
}
