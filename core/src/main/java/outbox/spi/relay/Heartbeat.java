package outbox.spi.relay;

import java.time.Duration;

/**
 * One heartbeat of a member.
 *
 * @param timeout how long the member lives from this heartbeat on
 * @param interval until the next heartbeat is due
 * @param ready whether the member may be given partitions: one that has just started prepares first
 */
public record Heartbeat(String session, Duration timeout, Duration interval, boolean ready) {

    /** After this multiple of the interval without a heartbeat, a member is missing. */
    public static final int MISSING_AFTER = 2;

    /** A heartbeat of a ready member, ten times as often as needed. */
    public static Heartbeat of(String session, Duration timeout) {
        return new Heartbeat(session, timeout, timeout.dividedBy(10), true);
    }
}
