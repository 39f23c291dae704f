package outbox.jdbc.internal.relay;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import outbox.jdbc.internal.dialect.PostgresReads;
import outbox.jdbc.internal.event.PendingRows;
import outbox.jdbc.internal.event.SetAside;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.ClusterLayout;

/**
 * Claim: reads several partitions for events that are all small, in one statement that locks nothing. It is the same
 * statement for any number of partitions, so that a connection prepares it once.
 */
public record PostgresPartitionsRead(PostgresReads postgres, List<PartitionRead> reads) {

    public String sql() {
        int partitions = reads.get(0).request().terms().partitions();
        return postgres.smallFront(
                " FROM unnest(?, ?, ?) AS page(slot, after_seq, most) CROSS JOIN LATERAL (SELECT e.* FROM "
                        + postgres.partitionTable(partitions) + " WHERE "
                        + postgres.newEvents(partitions, "page.slot", "page.after_seq")
                        + " AND e.event_id <> ALL(?) ORDER BY "
                        + postgres.partitionOrder(partitions) + " LIMIT page.most) e");
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
        // A lane belongs to one partition, and so does an event: the others do not have what one of them leaves out.
        at = postgres.bindLanes(
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

    /** One page for each read; empty when an event is not small. */
    public Optional<List<PartitionRead.Result>> execute(Connection conn) {
        String preface = postgres.dialect().preferIndexes();
        String attempted = "fetch events of " + reads.size() + " partitions";
        Consumer<SetAside.BadRow> unreadable = reads.getFirst().unreadable();
        return Sql.query(
                        preface,
                        conn,
                        attempted,
                        sql(),
                        statement -> bind(conn, statement),
                        rows -> PartitionRead.Small.read(postgres, rows, unreadable))
                .map(this::results);
    }

    private List<PartitionRead.Result> results(PartitionRead.Small small) {
        ClusterLayout layout = reads.getFirst().request().terms();
        Map<Integer, List<PendingRows.Sized>> partitions = small.rows().stream()
                .collect(Collectors.groupingBy(
                        row -> layout.partitionOf(row.event().keyHash())));
        return reads.stream()
                .map(read -> read.result(
                        small.snapshot(), partitions.getOrDefault(read.request().partition(), new ArrayList<>())))
                .toList();
    }
}
