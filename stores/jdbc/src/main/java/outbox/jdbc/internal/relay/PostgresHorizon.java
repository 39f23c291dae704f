package outbox.jdbc.internal.relay;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.dialect.PostgresReads;
import outbox.spi.TimeSource;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.Numbering;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PeekRequest;

/**
 * Tells up to which seq a snapshot of PostgreSQL shows everything that will ever be visible.
 *
 * <p>A transaction takes its seq when it inserts and becomes visible when it commits, so a snapshot may show 20 and, a
 * moment later, another one 10. A reader that continues behind 20 has lost 10. The horizon is the number below which
 * that cannot happen any more. It is found in three steps, whose order is all that matters:
 *
 * <pre>
 *   read p, the last seq given out  →  take x, a transaction id of one's own  →  (any time later) a snapshot
 *                       └─────────────── a note ───────────────┘                 whose xmin is above x
 * </pre>
 *
 * <p>Every row with a seq up to p was inserted by a transaction that had its id before it took the seq: the column
 * txid, whose default is evaluated before that of seq, sees to that, and the sequence hands out its numbers one by one.
 * Ids ascend, and x was given out after p was read, so all these transactions have ids below x. Once the oldest id that
 * a snapshot takes for running, its xmin, is above x, they have all ended, and the snapshot shows what they committed.
 * So does every later snapshot, and a note that held once holds from then on.
 *
 * <p>A transaction that stays open anywhere in the server keeps xmin where it is, however little it has to do with
 * events. So when a note does not hold soon, the open writers are read. A transaction that has inserted holds a lock on
 * the table of events, from before it took its seq until after it has ended for every snapshot. If no holder of such a
 * lock has an id below x, all those transactions have ended, and fetches that begin from then on may trust the note
 * whatever their xmin is.
 * A holder without an id has taken no seq yet.
 *
 * <p>Two shortcuts are none. The snapshot alone does not do: its xmax is the latest <em>ended</em> transaction's id plus
 * one, so a writer with a higher id runs unseen by it. And x must not be taken first: between the two a writer may
 * get an id above x and a seq up to p.
 *
 * <p>Numbers can go back: after a failover to a replica that was behind, when the table is emptied with {@code RESTART
 * IDENTITY} or restored from a dump, or when its sequence is reset. So every note and every snapshot names its
 * <em>numbering</em>: the run of the server, and the file of the sequence, which all of these but {@code setval} replace.
 * A note means nothing in another numbering, nor does what was read there. {@code setval} begins another numbering as
 * well, as soon as any fetch finds that the last number given out is below one that had been seen before it began. It
 * goes unnoticed only if between two fetches as many numbers are given out again as there had been.
 *
 * <p>A note costs a round trip, which an event waits for, and a transaction id. So it is made only if something was seen
 * beyond the last one, if that one holds by now, and a while after it: shorter the more there is to be read again. A
 * backlog that does not grow needs one a minute: numbers may go back, with a table that is emptied, and then former notes
 * mean nothing either.
 *
 * <p>Any thread may call; the lock is held for a few instructions and never while the database is asked.
 */
public final class PostgresHorizon {

    /** The statement that makes a note. Its parameter is the name of the event table. */
    static final String NOTE =
            // The row of the first part is there before the second, which reads it, takes its transaction id. And the
            // numbering is read before the number: a note must not bring a number of the former numbering to the next.
            "WITH given AS MATERIALIZED (SELECT " + PostgresReads.NUMBERING + ", " + PostgresReads.GIVEN
                    + " FROM (SELECT pg_get_serial_sequence(?, 'seq')::regclass AS seq OFFSET 0) sequence)"
                    + " SELECT given.numbering, given.given, pg_current_xact_id()::text::bigint AS xid FROM given";

    /**
     * The statement that finds the transactions which may have written events and have not ended. Both its parameters are the
     * name of the event table. Every user sees locks, unlike the sessions of others.
     */
    static final String WRITERS =
            "WITH locks AS MATERIALIZED (SELECT * FROM pg_locks WHERE granted AND (locktype = 'transactionid'"
                    + " OR (relation = ?::regclass AND database = (SELECT oid FROM pg_database"
                    + " WHERE datname = current_database()) AND mode = 'RowExclusiveLock')))"
                    + " SELECT " + PostgresReads.NUMBERING
                    + ", ARRAY(SELECT w.transactionid::text::bigint FROM locks w"
                    + " WHERE w.locktype = 'transactionid' AND w.mode = 'ExclusiveLock' AND w.virtualtransaction IN"
                    + " (SELECT t.virtualtransaction FROM locks t WHERE t.locktype = 'relation')) AS xids"
                    + " FROM (SELECT pg_get_serial_sequence(?, 'seq')::regclass AS seq OFFSET 0) sequence";

    /** Reading all locks costs more than a fetch, so it is done only if xmin stays behind for longer than usual. */
    private static final long WRITERS_CHECK_AFTER_NANOS = Duration.ofMillis(50).toNanos();

    private static final long REST_NANOS = Duration.ofMillis(25).toNanos();
    private static final long REST_BUSY_NANOS = Duration.ofMillis(5).toNanos();
    private static final long REST_MAX_NANOS = Duration.ofMinutes(1).toNanos();
    /** As many as that, and reading them again costs more than a note. */
    private static final int BUSY = 200;

    /** Older ones serve snapshots that were taken before the newest held, by threads that were slower. */
    private static final int NOTES_KEPT = 4;

    private final TimeSource time;

    // All below are guarded by this object's lock.
    private final Deque<Note> notes = new ArrayDeque<>(); // The newest first.
    private boolean newestHolds;
    private boolean recording;
    private boolean checking;
    private long recordedAtNanos;
    private long checkedAtNanos;
    private Note trusted = Note.NONE;
    private long seqSeen;
    private Numbering numbering = new Numbering(0, 0);
    private long givenSeen; // Of this numbering, the highest.

    /** What was known before a fetch began, which its page may use. */
    record Before(Note trusted, Numbering numbering, long given) {}

    PostgresHorizon(TimeSource time) {
        this.time = time;
    }

    /** A seq that was given out, and a transaction id that was given out after it. */
    record Note(long numbering, long seq, long xid) {

        /** Of no numbering, and holds for nothing. */
        static final Note NONE = new Note(0, 0, 0);

        static Note read(ResultSet row) throws SQLException {
            return new Note(row.getLong("numbering"), row.getLong("given"), row.getLong("xid"));
        }

        boolean holdsFor(Snapshot snapshot) {
            return mayHoldFor(snapshot) && snapshot.xmin() > xid;
        }

        /** Whether its number is one that had been given out when the snapshot was taken. */
        boolean mayHoldFor(Snapshot snapshot) {
            return snapshot.numbering() == numbering && seq <= snapshot.given();
        }
    }

    /** The ids of transactions that hold a writer's lock on the event table, in 32 bits as locks have them. */
    record OpenWriters(long numbering, List<Long> xids) {

        static OpenWriters read(ResultSet row) throws SQLException {
            Array array = row.getArray("xids");
            return new OpenWriters(row.getLong("numbering"), List.of((Long[]) array.getArray()));
        }

        // Ids of 32 bits go in a circle; those that are in use lie within half of it.
        boolean anyBefore(long xid) {
            return xids.stream().anyMatch(writer -> (int) (writer - xid) < 0);
        }
    }

    /**
     * What a statement says of its own snapshot.
     *
     * @param given the last number that the sequence had given out
     */
    public record Snapshot(long numbering, long given, long xmin) {

        public static Snapshot read(ResultSet row) throws SQLException {
            return new Snapshot(row.getLong("numbering"), row.getLong("given"), row.getLong("snapshot_xmin"));
        }
    }

    /** Whether the caller is to make a note, and hand it to {@link #recorded}. No other caller gets true until then. */
    synchronized boolean shouldRecord() {
        long now = time.nanoTime();
        Note newest = notes.peekFirst();
        if (recording || (newest != null && !isOutdated(newest, now))) {
            return false;
        }
        recording = true;
        recordedAtNanos = now;
        checkedAtNanos = now;
        return true;
    }

    private boolean isOutdated(Note newest, long now) {
        long beyond = seqSeen - newest.seq();
        long rest = beyond <= 0 ? REST_MAX_NANOS : beyond < BUSY ? REST_NANOS : REST_BUSY_NANOS;
        return newestHolds && now - recordedAtNanos >= rest;
    }

    synchronized void recorded(Note note) {
        Note newest = notes.peekFirst();
        if (newest != null && note.seq() < newest.seq()) {
            forget();
        }
        recording = false;
        newestHolds = false;
        notes.addFirst(note);
        if (notes.size() > NOTES_KEPT) {
            notes.removeLast();
        }
    }

    /** The newest note, if the caller is to ask for the writers, and hand them to {@link #checked}; or none. */
    synchronized Note shouldCheckWriters() {
        long now = time.nanoTime();
        Note newest = notes.peekFirst();
        if (newest == null || newestHolds || checking || now - checkedAtNanos < WRITERS_CHECK_AFTER_NANOS) {
            return Note.NONE;
        }
        checking = true;
        checkedAtNanos = now;
        return newest;
    }

    synchronized void checked(Note note, OpenWriters writers) {
        checking = false;
        if (writers.numbering() == note.numbering() && notes.contains(note) && !writers.anyBefore(note.xid())) {
            trusted = note;
            newestHolds |= note.equals(notes.peekFirst());
        }
    }

    /** What every fetch that begins from now on may trust. */
    synchronized Before before() {
        return new Before(trusted, numbering, givenSeen);
    }

    /**
     * The horizon of a snapshot; zero when no note holds for it.
     *
     * @param seqShown the last that it showed, or zero if it showed none
     * @param before from before the fetch began
     */
    synchronized long of(Snapshot snapshot, long seqShown, Before before) {
        long byXmin = byXmin(snapshot, seqShown);
        Note known = before.trusted();
        return known.mayHoldFor(snapshot) ? Math.max(byXmin, known.seq()) : byXmin;
    }

    private long byXmin(Snapshot snapshot, long seqShown) {
        seqSeen = Math.max(seqSeen, seqShown);
        Note newest = notes.peekFirst();
        if (newest != null && newest.numbering() != snapshot.numbering()) {
            forget();
        }
        for (Note note : notes) {
            if (note.holdsFor(snapshot)) {
                newestHolds |= note.equals(newest);
                return note.seq();
            }
        }
        return 0;
    }

    /**
     * The page of a fetch: what was read, or that the reader's numbers are of another numbering, or have gone back behind
     * what it has read. Then the reader starts again, and gets this answer until it does: an answer may be lost.
     */
    synchronized PartitionPage page(
            PartitionFetch request, List<FetchedEvent> events, boolean complete, Snapshot snapshot, Before before) {
        long seqShown = events.isEmpty() ? 0 : events.getLast().seq();
        long upTo = of(snapshot, seqShown, before);
        Numbering current = numberingOf(snapshot, before);
        Horizon found = upTo == 0 ? Horizon.UNKNOWN : new Horizon.UpTo(upTo);
        if (snapshot.given() < request.afterSeq()) {
            forget(); // What was noted may be given out again.
            found = Horizon.SEQUENCE_RESET;
        } else if (isOther(request.numbering(), current)) {
            found = Horizon.SEQUENCE_RESET;
        }
        return new PartitionPage(events, complete, found, current);
    }

    /** Whether what a reader has read up to here was numbered otherwise. */
    synchronized boolean isRenumbered(PeekRequest.Position position, Snapshot snapshot, Before before) {
        return isOther(position.numbering(), numberingOf(snapshot, before)) || snapshot.given() < position.afterSeq();
    }

    private static boolean isOther(@Nullable Numbering read, Numbering current) {
        return read != null && !read.equals(current);
    }

    // Compared with what was known before the fetch began: fetches end in another order than that of their snapshots.
    // One from before a change may be of either side of it, and counts as one of the former.
    private Numbering numberingOf(Snapshot snapshot, Before before) {
        Numbering read = new Numbering(snapshot.numbering(), before.numbering().resets());
        if (!before.numbering().equals(numbering)) {
            return read;
        }
        if (read.source() != numbering.source()) {
            numbering = read;
            givenSeen = snapshot.given();
        } else if (snapshot.given() < before.given()) {
            forget(); // What was noted may be given out again.
            numbering = new Numbering(read.source(), read.resets() + 1);
            givenSeen = snapshot.given();
        } else {
            givenSeen = Math.max(givenSeen, snapshot.given());
        }
        return numbering;
    }

    /** Forgets all, after a failure that may have been the end of the server. */
    synchronized void forget() {
        notes.clear();
        newestHolds = false;
        recording = false;
        checking = false;
        trusted = Note.NONE;
        seqSeen = 0;
    }
}
