package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.dialect.PartitionReads;
import outbox.jdbc.internal.dialect.PostgresReads;
import outbox.jdbc.internal.event.PendingRows;
import outbox.jdbc.internal.event.SetAside;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.PartitionFetch;

/**
 * Claim: reads one partition, in one statement that locks nothing.
 *
 * @param unreadable is given what cannot be delivered as it is; then this read does not count
 */
public record PartitionRead(PartitionReads reads, PartitionFetch request, Consumer<SetAside.BadRow> unreadable) {

    private static final Comparator<PendingRows.Sized> BY_SEQ =
            Comparator.comparingLong(row -> row.event().seq());

    /**
     * What a read found.
     *
     * @param snapshot that showed the events; null where the database does not show it
     */
    public record Result(List<FetchedEvent> events, boolean complete, PostgresHorizon.@Nullable Snapshot snapshot) {}

    List<Integer> leftOut() {
        return List.copyOf(request.lanesLeftOut());
    }

    public String sql() {
        int partitions = request.terms().partitions();
        String choice = "SELECT " + reads.chosenColumns() + " FROM " + reads.partitionTable(partitions)
                + " WHERE " + reads.newEvents(partitions, request.partition(), leftOut()) + notKnown() + " ORDER BY "
                + reads.partitionOrder(partitions) + " LIMIT " + reads.count("?");
        return reads.front(choice, "w.seq");
    }

    public void bind(Connection conn, PreparedStatement statement) throws SQLException {
        int at = reads.bindPartition(statement, 1, request.partition(), request.afterSeq());
        at = reads.bindLanes(conn, statement, at, leftOut());
        at = Sql.bind(statement, at, List.copyOf(request.inMemoryIds()));
        statement.setInt(at, eventsAndOne());
        statement.setLong(at + 1, request.bytesMax());
    }

    private String notKnown() {
        return request.inMemoryIds().isEmpty()
                ? ""
                : " AND e.event_id NOT IN "
                        + Sql.placeholders(request.inMemoryIds().size());
    }

    /** Reads events of every size. */
    public Result execute(Connection conn) {
        return query(
                conn,
                sql(),
                statement -> bind(conn, statement),
                rows -> rows.next() ? cut(reads.snapshot(rows), all(rows)) : new Result(List.of(), true, null));
    }

    private <T> T query(Connection conn, String sql, Sql.Binding binding, Sql.Reading<T> reading) {
        String preface = reads.dialect().preferIndexes();
        return Sql.query(preface, conn, "fetch events of partition " + request.partition(), sql, binding, reading);
    }

    // ---- PostgreSQL, when all events are small -------------------------------------------------------------------

    /** The size up to which all events of a page fit. */
    long smallMax() {
        return request.bytesMax() / Math.max(1, request.eventsMax());
    }

    public String smallSql(PostgresReads postgres) {
        int partitions = request.terms().partitions();
        return postgres.smallFront(" FROM " + postgres.partitionTable(partitions) + " WHERE "
                + postgres.newEvents(partitions, request.partition(), leftOut()) + " ORDER BY "
                + postgres.partitionOrder(partitions)
                + " LIMIT " + postgres.count("?"));
    }

    public void bindSmall(Connection conn, PreparedStatement statement) throws SQLException {
        for (int index = 1; index <= PostgresReads.SMALL_PARAMETERS; index++) {
            statement.setLong(index, smallMax());
        }
        int at = reads.bindPartition(
                statement, PostgresReads.SMALL_PARAMETERS + 1, request.partition(), request.afterSeq());
        at = reads.bindLanes(conn, statement, at, leftOut());
        statement.setInt(at, eventsAndOne());
    }

    /** Reads small events; empty when one is not small: then all have to be read again. */
    public Optional<Result> executeSmall(Connection conn, PostgresReads postgres) {
        return query(
                        conn,
                        smallSql(postgres),
                        statement -> bindSmall(conn, statement),
                        rows -> Small.read(postgres, rows, unreadable))
                .map(small -> result(small.snapshot(), small.rows()));
    }

    /** The page of this partition, of small events in any order. */
    Result result(PostgresHorizon.@Nullable Snapshot snapshot, List<PendingRows.Sized> rows) {
        rows.sort(BY_SEQ);
        return cut(snapshot, rows);
    }

    /** Events that were read as small ones. */
    record Small(PostgresHorizon.@Nullable Snapshot snapshot, List<PendingRows.Sized> rows) {

        /** Empty when one is not small. */
        static Optional<Small> read(PostgresReads postgres, ResultSet rows, Consumer<SetAside.BadRow> unreadable)
                throws SQLException {
            PendingRows reading = PendingRows.of(postgres.dialect(), rows);
            List<PendingRows.Sized> all = new ArrayList<>();
            PostgresHorizon.Snapshot snapshot = null;
            while (rows.next()) {
                if (!reading.isEvent(rows)) {
                    snapshot = postgres.snapshot(rows);
                    continue;
                }
                PendingRows.Sized row = reading.one(rows, unreadable);
                if (row.size() > 0) {
                    return Optional.empty();
                }
                all.add(row);
            }
            return Optional.of(new Small(snapshot, all));
        }
    }

    // ---- both ----------------------------------------------------------------------------------------------------

    int eventsAndOne() {
        return (int) Math.min(request.eventsMax() + 1L, Integer.MAX_VALUE); // One more shows that the page is cut.
    }

    private List<PendingRows.Sized> all(ResultSet rows) throws SQLException {
        return PendingRows.all(reads.dialect(), rows, Comparator.comparingLong(FetchedEvent::seq), unreadable);
    }

    private Result cut(PostgresHorizon.@Nullable Snapshot snapshot, List<PendingRows.Sized> all) {
        List<FetchedEvent> events = new ArrayList<>(all.size());
        long bytes = 0;
        for (PendingRows.Sized row : all) {
            bytes += row.size();
            if (events.size() == request.eventsMax() || (bytes > request.bytesMax() && !events.isEmpty())) {
                break;
            }
            events.add(row.event());
        }
        return new Result(events, events.size() == all.size(), snapshot);
    }
}
