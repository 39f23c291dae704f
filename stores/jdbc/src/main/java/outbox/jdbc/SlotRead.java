package outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.model.FetchRequest;
import outbox.model.PendingEvent;

/** Claim: one look at a slot, in one statement that locks nothing. */
record SlotRead(RelayDialect relayDialect, FetchRequest request, List<Integer> leftOut) {

    SlotRead(RelayDialect relayDialect, FetchRequest request) {
        this(relayDialect, request, List.copyOf(request.lanesLeftOut()));
    }

    /**
     * What was seen.
     *
     * @param snapshot that showed it; null where the database cannot tell
     */
    record Seen(List<PendingEvent> events, boolean complete, PostgresHorizon.@Nullable Snapshot snapshot) {}

    String sql() {
        int partitions = request.terms().partitions();
        String choice = "SELECT " + relayDialect.chosenColumns() + " FROM " + relayDialect.slotTable(partitions)
                + " WHERE " + relayDialect.news(partitions, request.slot(), leftOut) + " ORDER BY "
                + relayDialect.slotOrder(partitions) + " LIMIT " + relayDialect.count("?");
        return relayDialect.front(choice, "w.seq");
    }

    void bind(Connection conn, PreparedStatement statement) throws SQLException {
        int at = relayDialect.bindSlot(statement, 1, request.slot(), request.afterSeq());
        at = relayDialect.bindLanes(conn, statement, at, leftOut);
        statement.setInt(at, (int) Math.min(request.eventsMax() + 1L, Integer.MAX_VALUE)); // One more tells of a cut.
        statement.setLong(at + 1, request.bytesMax());
    }

    Seen execute(Connection conn) {
        return Sql.query(
                conn, "fetch events of slot " + request.slot(), sql(), statement -> bind(conn, statement), this::read);
    }

    private Seen read(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            return new Seen(List.of(), true, null);
        }
        PostgresHorizon.Snapshot snapshot = relayDialect.snapshot(rows);
        List<PendingRows.Sized> all =
                new PendingRows(relayDialect.dialect()).all(rows, Comparator.comparingLong(PendingEvent::seq));
        List<PendingEvent> events = new ArrayList<>(all.size());
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
