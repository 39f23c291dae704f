package outbox.mongodb.internal.event;

import org.bson.BsonTimestamp;

/**
 * The place of an event in the order of insertion: a tick of the replica set's logical clock (its cluster time), which
 * the server itself writes into the document as it inserts it.
 *
 * <p>Why that keeps the rule of order. Let e1 be committed before e2 is inserted. The server took e1's tick at its
 * insert; the commit is an entry of the oplog, whose time is a later tick of the same clock; and the clock never goes
 * back: not when the machine's clock does, and not after a failover, since whoever becomes primary has the commit in
 * its oplog and its clock is not behind its oplog. So e2's tick is later than e1's. No two events share a tick, and
 * nothing is locked or counted: transactions that publish do not meet. A counter in a document would be a write that
 * all of them share, and each but one would fail with a write conflict; times of the server's or the applications'
 * clocks may go back.
 *
 * <p>Two transactions that run at the same time may become visible in the other order than their ticks. Up to which
 * tick everything is visible, MongoDB does not tell; so every look at a slot begins with its oldest pending event, as
 * one snapshot shows it.
 */
public final class Seq {

    /** Seconds of 2020-01-01. The clock's seconds have 32 bits without a sign: counted from here they fit until 2088. */
    private static final long EPOCH = 1_577_836_800L << 32;

    /** The smallest that is not empty. */
    public static final BsonTimestamp FIRST = new BsonTimestamp(0, 1);

    /** What can be no tick: nobody would find such an event, since looks begin behind it. */
    public static final BsonTimestamp TOO_EARLY = new BsonTimestamp(EPOCH);

    /** The first that does not fit. */
    public static final BsonTimestamp TOO_LATE = new BsonTimestamp(EPOCH + Long.MIN_VALUE);

    private Seq() {}

    public static long of(BsonTimestamp tick) {
        return tick.getValue() - EPOCH;
    }

    /** The driver compares ticks, and the server too, as numbers without a sign: no position is too large. */
    public static BsonTimestamp tick(long seq) {
        return new BsonTimestamp(seq + EPOCH);
    }
}
