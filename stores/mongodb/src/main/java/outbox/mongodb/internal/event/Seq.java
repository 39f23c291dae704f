package outbox.mongodb.internal.event;

import org.bson.BsonTimestamp;

/**
 * The position of an event in the order of insertion: a tick of the replica set's logical clock (its cluster time),
 * which the server itself writes into the document when it inserts it.
 *
 * <p>Why the ticks keep the order of commits: let e1 be committed before e2 is inserted. The server took e1's tick at
 * its insert. The commit is an entry of the oplog, whose time is a later tick of the same clock. The clock never goes
 * back, neither when the machine's clock does, nor after a failover: the new primary has the commit in its oplog, and
 * its clock is not behind its oplog. So e2's tick is later than e1's. No two events share a tick, and nothing is locked
 * or counted: transactions that publish do not conflict. A counter in a document would be written by all of them, and
 * all but one would fail with a write conflict. The wall clocks of the server or the applications may go back.
 *
 * <p>Two transactions that run at the same time may become visible in another order than their ticks. MongoDB does not
 * report up to which tick everything is visible. Therefore every read of a partition begins with its oldest pending
 * event, in one snapshot.
 */
public final class Seq {

    /**
     * The start of 2020. The clock's seconds have 32 bits without a sign, and counted from here they fit until 2088.
     */
    private static final long EPOCH = 1_577_836_800L << 32;

    /** The smallest tick that is not empty. */
    public static final BsonTimestamp FIRST = new BsonTimestamp(0, 1);

    /** The largest value that is no valid tick. Reads begin after it, so they would never return such an event. */
    public static final BsonTimestamp TOO_EARLY = new BsonTimestamp(EPOCH);

    /** The first tick that does not fit. */
    public static final BsonTimestamp TOO_LATE = new BsonTimestamp(EPOCH + Long.MIN_VALUE);

    private Seq() {}

    public static long of(BsonTimestamp tick) {
        return tick.getValue() - EPOCH;
    }

    /** Driver and server compare ticks as numbers without a sign, so no position is too large. */
    public static BsonTimestamp tick(long seq) {
        return new BsonTimestamp(seq + EPOCH);
    }
}
