package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.relay.PartitionRead;
import outbox.jdbc.internal.relay.PostgresHorizon;
import outbox.jdbc.internal.relay.PostgresSlotsRead;

/**
 * PostgreSQL: slots are an expression index, whose number of partitions stands in the statement as it does in the index.
 *
 * <p>Plans are pinned where statistics would mislead. "Pending" is said in the words of the index that is meant, and of
 * no other. And a limit is a subquery: the planner, which takes a partial index for nearly empty, would otherwise read
 * the whole slot and sort it; of a limit that it does not know it assumes a tenth of the rows, and walks the index.
 */
public record PostgresReads(Dialect dialect, TableNames tables) implements PartitionReads {

    /**
     * What tells one numbering of the events from another: the run of the server, and the file of the sequence, which a
     * reset of the sequence replaces, and a table that is emptied or restored with it. The sequence is the column seq.
     */
    public static final String NUMBERING = "((extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint"
            + " # (COALESCE(pg_relation_filenode(sequence.seq)::bigint, 0) << 32)) AS numbering";

    /** The last number that the sequence has given out. */
    public static final String GIVEN = "COALESCE(pg_sequence_last_value(sequence.seq), 0) AS given";

    /** The snapshot, as a horizon needs it, and the numbering that it is of. */
    private static final String SNAPSHOT =
            "pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS snapshot_xmin, " + NUMBERING + ", " + GIVEN;

    private static final String SMALL = "CASE WHEN " + EventSql.SIZE + " <= ? THEN ";

    private static final String SMALL_COLUMNS = EventSql.OF_E
            .replace(" e.payload,", " " + SMALL + "e.payload END,")
            .replace(" e.payload_bytes,", " " + SMALL + "e.payload_bytes END,");

    /** How many parameters of {@link #smallFront} come before those of the choice: each is the size that is small. */
    public static final int SMALL_PARAMETERS = 3;

    /**
     * The slot is a parameter, so that a connection prepares one statement for all slots. Each column of the index has a
     * condition of its own: with a comparison of both as a row, the walk would begin at the slot's first entry, and pass
     * all that were settled and not yet cleaned away.
     */
    @Override
    public String inSlot(int partitions, int slot) {
        return inSlot(partitions, "?", "?");
    }

    private static String inSlot(int partitions, String slot, String afterSeq) {
        return "e.key_hash % " + partitions + " = " + slot + " AND e.seq > " + afterSeq + " AND e.status % 2 = 0";
    }

    /** As {@link #news(int, int, List)}, of a slot that is told by something else than a parameter. */
    public String news(int partitions, String slot, String afterSeq) {
        return inSlot(partitions, slot, afterSeq) + " AND " + EventSql.inOrder(dialect, "e") + " AND "
                + notInLanes(List.of());
    }

    @Override
    public int bindSlot(PreparedStatement statement, int index, int slot, long afterSeq) throws SQLException {
        statement.setInt(index, slot);
        statement.setLong(index + 1, afterSeq);
        return index + 2;
    }

    @Override
    public String slotOrder(int partitions) {
        return "e.seq";
    }

    @Override
    public String count(String count) {
        return "(SELECT " + count + ")";
    }

    @Override
    public String notInLanes(List<Integer> lanes) {
        return "e.key_hash <> ALL(?)";
    }

    @Override
    public int bindLanes(Connection conn, PreparedStatement statement, int index, List<Integer> lanes)
            throws SQLException {
        statement.setArray(index, conn.createArrayOf("integer", lanes.toArray(Integer[]::new)));
        return index + 1;
    }

    @Override
    public String choiceOfLanes(List<Integer> lanes) {
        return "SELECT of_lane.* FROM unnest(?) AS lane(hash) CROSS JOIN LATERAL (SELECT " + chosenColumns() + " FROM "
                + tables.event() + " e WHERE " + dialect.pendingInLane("e") + " AND e.key_hash = lane.hash AND "
                + EventSql.inOrder(dialect, "e") + " ORDER BY e.seq LIMIT " + count("?") + ") of_lane";
    }

    @Override
    public int bindChosenLanes(Connection conn, PreparedStatement statement, List<Integer> lanes, int eventsPerLane)
            throws SQLException {
        int at = bindLanes(conn, statement, 1, lanes);
        statement.setInt(at, eventsPerLane);
        return at + 1;
    }

    @Override
    public PostgresHorizon.Snapshot snapshot(ResultSet row) throws SQLException {
        return PostgresHorizon.Snapshot.read(row);
    }

    @Override
    public Optional<Numbering> numbering() {
        return Optional.of(
                new Numbering("(SELECT " + NUMBERING + ofSequence() + ")", "(SELECT " + GIVEN + ofSequence() + ")"));
    }

    /** Nearly all events are small; when one is not, everything is read again. */
    @Override
    public List<PartitionRead.Seen> fetch(Connection conn, List<PartitionRead> reads) {
        if (reads.size() == 1 && reads.get(0).request().inMemoryIds().isEmpty()) {
            return List.of(fetch(conn, reads.get(0)));
        }
        return new PostgresSlotsRead(this, reads)
                .execute(conn)
                .orElseGet(() -> reads.stream().map(read -> fetch(conn, read)).toList());
    }

    private PartitionRead.Seen fetch(Connection conn, PartitionRead read) {
        return read.request().inMemoryIds().isEmpty()
                ? read.lookForSmall(conn, this).orElseGet(() -> read.look(conn))
                : read.look(conn);
    }

    @Override
    public String delayed() {
        return "e.status = 0 AND e.available_at <> e.created_at";
    }

    @Override
    public String delayedUntil() {
        return "e.available_at";
    }

    /** A row comes even if nothing was chosen, because the snapshot is asked for all the same. */
    @Override
    public String front(String choice, String order) {
        return "WITH look AS MATERIALIZED (SELECT " + SNAPSHOT + ", " + dialect.now() + " AS now_at" + ofSequence()
                + ")"
                + " SELECT * FROM look LEFT JOIN (" + PartitionReads.counted(choice, order) + ") chosen ON "
                + PartitionReads.FITS;
    }

    /**
     * A look for events that are all small, which nearly all are: without the sums that cut a look at its bytes, it takes
     * half the time. Larger payloads are left out, so that the answer is bounded all the same; their size tells of them,
     * and is missing otherwise. What is the same for all events stands in a row of its own, instead of in each; only an
     * event that waits for its retry is told what time it is.
     *
     * @param choice what follows the columns
     */
    public String smallFront(String choice) {
        return "SELECT " + SNAPSHOT + ", " + dialect.now() + " AS now_at, "
                + EventSql.NONE + ", NULL AS key_hash, NULL AS size" + ofSequence()
                + " UNION ALL (SELECT NULL, NULL, NULL, CASE WHEN e.status = 2 THEN " + dialect.now() + " END, "
                + SMALL_COLUMNS
                + ", e.key_hash, CASE WHEN " + EventSql.SIZE + " > ? THEN " + EventSql.SIZE + " END" + choice + ")";
    }

    /** The sequence, found once: the planner would otherwise find it anew wherever it is named. */
    public String ofSequence() {
        return " FROM (SELECT pg_get_serial_sequence('" + tables.event().replace("'", "''")
                + "', 'seq')::regclass AS seq OFFSET 0) sequence";
    }

    @Override
    public String chosenColumns() {
        return EventSql.OF_E + ", e.key_hash, " + EventSql.SIZE + " AS size";
    }
}
