package outbox.jdbc.internal.relay;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import outbox.jdbc.internal.dialect.PostgresReads;
import outbox.jdbc.internal.event.PendingRows;
import outbox.jdbc.internal.sql.Sql;

/**
 * Claim: one look at several slots for events that are all small, in one statement that locks nothing. However many slots
 * there are, the statement is the same, so that a connection prepares it once.
 */
public record PostgresSlotsRead(PostgresReads dialect, List<PartitionRead> reads) {

    public String sql() {
        int partitions = reads.get(0).request().terms().partitions();
        return dialect.smallFront(
                " FROM unnest(?, ?, ?) AS look(slot, after_seq, most) CROSS JOIN LATERAL (SELECT e.* FROM "
                        + dialect.slotTable(partitions) + " WHERE "
                        + dialect.news(partitions, "look.slot", "look.after_seq")
                        + " AND e.event_id <> ALL(?) ORDER BY "
                        + dialect.slotOrder(partitions) + " LIMIT look.most) e");
    }

    public void bind(Connection conn, PreparedStatement statement) throws SQLException {
        long smallMax = reads.stream().mapToLong(PartitionRead::smallMax).min().orElseThrow();
        int at = 1;
        while (at <= PostgresReads.SMALL_PARAMETERS) {
            statement.setLong(at++, smallMax);
        }
        statement.setArray(at++, integers(conn, read -> read.request().partition()));
        statement.setArray(
                at++, bigints(conn, reads.stream().map(read -> read.request().afterSeq())));
        statement.setArray(at++, integers(conn, PartitionRead::eventsAndOne));
        // A lane belongs to one slot, and so does an event: what one of them leaves out is nothing to the others.
        at = dialect.bindLanes(
                conn,
                statement,
                at,
                reads.stream().flatMap(read -> read.leftOut().stream()).toList());
        String[] known = reads.stream()
                .flatMap(read -> read.request().inMemoryIds().stream())
                .toArray(String[]::new);
        statement.setArray(at, conn.createArrayOf("text", known));
    }

    // Arrays of objects would be written out as text, into a kilobyte each.
    private Array integers(Connection conn, Function<PartitionRead, Integer> part) throws SQLException {
        return conn.createArrayOf("integer", reads.stream().map(part).toArray(Integer[]::new));
    }

    private static Array bigints(Connection conn, Stream<Long> values) throws SQLException {
        return conn.createArrayOf("bigint", values.toArray(Long[]::new));
    }

    /** What was seen of each; empty when an event is not small. */
    public Optional<List<PartitionRead.Seen>> execute(Connection conn) {
        return Sql.query(
                        dialect.dialect().preferIndexes(),
                        conn,
                        "fetch events of " + reads.size() + " slots",
                        sql(),
                        statement -> bind(conn, statement),
                        rows -> PartitionRead.Small.read(
                                dialect, rows, reads.get(0).unreadable()))
                .map(this::bySlot);
    }

    private List<PartitionRead.Seen> bySlot(PartitionRead.Small small) {
        Map<Integer, List<PendingRows.Sized>> slots = new HashMap<>();
        for (PendingRows.Sized row : small.rows()) {
            int slot = reads.get(0).request().terms().partitionOf(row.event().keyHash());
            slots.computeIfAbsent(slot, none -> new ArrayList<>()).add(row);
        }
        List<PartitionRead.Seen> seen = new ArrayList<>();
        for (PartitionRead read : reads) {
            seen.add(read.small(
                    small.snapshot(), slots.getOrDefault(read.request().partition(), new ArrayList<>())));
        }
        return seen;
    }
}
