package outbox.jdbc.internal.event;

import java.time.Duration;

/**
 * How long the database may take to answer a holder of claims: so short that a database which has vanished without a word
 * is noticed before another process may claim what this one holds.
 */
public final class LeaseAnswer {

    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofMinutes(1);

    /** Written by the thread that claims, read by those that settle what was claimed. */
    private volatile Duration max = MOST;

    public Duration max() {
        return max;
    }

    /** The same for claims of this lease. */
    public Duration under(Duration lease) {
        Duration most = lease.multipliedBy(4).dividedBy(5);
        Duration atLeast = most.compareTo(LEAST) < 0 ? LEAST : most;
        max = atLeast.compareTo(MOST) > 0 ? MOST : atLeast;
        return max;
    }
}
