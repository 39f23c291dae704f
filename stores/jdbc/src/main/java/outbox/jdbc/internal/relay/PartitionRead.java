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
import outbox.jdbc.internal.sql.InList;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.PartitionFetch;

/** Claim: one look at a slot, in one statement that locks nothing. */
public record PartitionRead(
        PartitionReads relayDialect, PartitionFetch request, List<Integer> leftOut, Consumer<SetAside.Met> unreadable) {

    private static final Comparator<PendingRows.Sized> BY_SEQ =
            Comparator.comparingLong(row -> row.event().seq());

    /** @param unreadable is given what cannot be delivered as it is; then this look does not count */
    public PartitionRead(PartitionReads relayDialect, PartitionFetch request, Consumer<SetAside.Met> unreadable) {
        this(relayDialect, request, List.copyOf(request.lanesLeftOut()), unreadable);
    }

    /**
     * What was seen.
     *
     * @param snapshot that showed it; null where the database cannot tell
     */
    public record Seen(List<FetchedEvent> events, boolean complete, PostgresHorizon.@Nullable Snapshot snapshot) {}

    public String sql() {
        int partitions = request.terms().partitions();
        String choice = "SELECT " + relayDialect.chosenColumns() + " FROM " + relayDialect.slotTable(partitions)
                + " WHERE " + relayDialect.news(partitions, request.partition(), leftOut) + notKnown() + " ORDER BY "
                + relayDialect.slotOrder(partitions) + " LIMIT " + relayDialect.count("?");
        return relayDialect.front(choice, "w.seq");
    }

    public void bind(Connection conn, PreparedStatement statement) throws SQLException {
        int at = relayDialect.bindSlot(statement, 1, request.partition(), request.afterSeq());
        at = relayDialect.bindLanes(conn, statement, at, leftOut);
        at = InList.bind(statement, at, List.copyOf(request.inMemoryIds()));
        statement.setInt(at, eventsAndOne());
        statement.setLong(at + 1, request.bytesMax());
    }

    private String notKnown() {
        return request.inMemoryIds().isEmpty()
                ? ""
                : " AND e.event_id NOT IN " + InList.of(request.inMemoryIds().size());
    }

    /** Reads events of every size. */
    public Seen look(Connection conn) {
        return Sql.query(
                relayDialect.dialect().preferIndexes(),
                conn,
                "fetch events of slot " + request.partition(),
                sql(),
                statement -> bind(conn, statement),
                rows -> rows.next() ? cut(relayDialect.snapshot(rows), all(rows)) : new Seen(List.of(), true, null));
    }

    // ---- PostgreSQL, when all events are small -------------------------------------------------------------------

    /** Up to which size so many events fit whatever the others are. */
    long smallMax() {
        return request.bytesMax() / Math.max(1, request.eventsMax());
    }

    public String smallSql(PostgresReads postgres) {
        int partitions = request.terms().partitions();
        return postgres.smallFront(" FROM " + postgres.slotTable(partitions) + " WHERE "
                + postgres.news(partitions, request.partition(), leftOut) + " ORDER BY "
                + postgres.slotOrder(partitions)
                + " LIMIT " + postgres.count("?"));
    }

    public void bindSmall(Connection conn, PreparedStatement statement) throws SQLException {
        for (int index = 1; index <= PostgresReads.SMALL_PARAMETERS; index++) {
            statement.setLong(index, smallMax());
        }
        int at = relayDialect.bindSlot(
                statement, PostgresReads.SMALL_PARAMETERS + 1, request.partition(), request.afterSeq());
        at = relayDialect.bindLanes(conn, statement, at, leftOut);
        statement.setInt(at, eventsAndOne());
    }

    /** What was seen; empty when an event is not small: then everything has to be looked at anew. */
    public Optional<Seen> lookForSmall(Connection conn, PostgresReads postgres) {
        return Sql.query(
                        postgres.dialect().preferIndexes(),
                        conn,
                        "fetch events of slot " + request.partition(),
                        smallSql(postgres),
                        statement -> bindSmall(conn, statement),
                        rows -> Small.read(postgres, rows, unreadable))
                .map(small -> small(small.snapshot(), small.rows()));
    }

    /** What a look for small events has given of this slot, in any order. */
    Seen small(PostgresHorizon.@Nullable Snapshot snapshot, List<PendingRows.Sized> rows) {
        rows.sort(BY_SEQ);
        return cut(snapshot, rows);
    }

    /** What a look for small events has given. */
    record Small(PostgresHorizon.@Nullable Snapshot snapshot, List<PendingRows.Sized> rows) {

        /** Empty when one is not small. */
        static Optional<Small> read(PostgresReads postgres, ResultSet rows, Consumer<SetAside.Met> unreadable)
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
        return (int) Math.min(request.eventsMax() + 1L, Integer.MAX_VALUE); // One more tells of a cut.
    }

    private List<PendingRows.Sized> all(ResultSet rows) throws SQLException {
        return PendingRows.all(relayDialect.dialect(), rows, Comparator.comparingLong(FetchedEvent::seq), unreadable);
    }

    private Seen cut(PostgresHorizon.@Nullable Snapshot snapshot, List<PendingRows.Sized> all) {
        List<FetchedEvent> events = new ArrayList<>(all.size());
        long bytes = 0;
        for (PendingRows.Sized row : all) {
            bytes += row.size();
            if (events.size() == request.eventsMax() || (bytes > request.bytesMax() && !events.isEmpty())) {
                break;
            }
            events.add(row.event());
        }
        return new Seen(events, events.size() == all.size(), snapshot);
    }
}
