package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.internal.EventCursor;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.EventSql;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.sql.RowReader;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlText;
import outbox.model.OutboxEvent;
import outbox.spi.operations.BoundedCount;
import outbox.spi.operations.EventSummary;

/**
 * Walks along a way and keeps the events that match.
 *
 * <p>The database takes the next so many rows from an index and looks at each; what it gives back is those that match,
 * and the last that was looked at, behind which the next look begins. One statement costs these rows and no more,
 * whether a thousand of them match or none.
 *
 * @param rowsMax how many rows one statement looks at
 */
public record EventSearch(Dialect dialect, int rowsMax) {

    /**
     * What a search has found.
     *
     * @param next where to go on; null at the end of the way
     */
    record Found(List<EventSummary> events, @Nullable EventCursor next) {

        boolean isCut(int limit) {
            return next != null && events.size() < limit;
        }
    }

    /** One statement's worth; {@code end} is null when the walk has ended. */
    private record Look(List<EventSummary> events, @Nullable EventCursor end) {}

    /** The next events of the way, with one statement for each of its walks. */
    Found some(Connection conn, SearchPlan way, @Nullable EventCursor after, int limit) {
        List<EventSummary> events = new ArrayList<>();
        for (IndexScan walk : way.walks()) {
            Look look = look(conn, way, walk, after, limit + 1 - events.size());
            events.addAll(look.events());
            if (events.size() > limit) {
                return new Found(events.subList(0, limit), walk.cursor(events.get(limit - 1)));
            }
            if (look.end() != null) {
                return new Found(events, look.end());
            }
        }
        return new Found(events, null);
    }

    /** The first events of the way, however many rows have to be looked at. */
    List<EventSummary> first(Connection conn, SearchPlan way, int limit) {
        List<EventSummary> events = new ArrayList<>();
        Found found;
        @Nullable EventCursor after = null;
        do {
            found = some(conn, way, after, limit - events.size());
            events.addAll(found.events());
            after = found.next();
        } while (after != null && events.size() < limit);
        return events;
    }

    private Look look(Connection conn, SearchPlan way, IndexScan walk, @Nullable EventCursor after, int wanted) {
        int rows = way.conditions().isEmpty() ? Math.min(wanted, rowsMax) : rowsMax;
        SqlText sql = statement(way, walk, after, rows, wanted);
        return Sql.query(conn, "search events", sql.toString(), sql::bind, found -> read(found, walk, rows));
    }

    public SqlText statement(SearchPlan way, IndexScan walk, @Nullable EventCursor after, int rows, int wanted) {
        SqlText sql = new SqlText(dialect).add("SELECT w.* FROM (SELECT c.*, CASE WHEN ");
        way.conditions().addTo(sql);
        sql.add(" THEN 1 ELSE 0 END AS matched, ROW_NUMBER() OVER (ORDER BY " + walk.order("c") + ") AS place FROM (");
        addWindow(sql, walk, after, rows);
        return sql.add(") c) w WHERE w.place <= " + rows + " AND (w.matched = 1 OR w.place = " + rows + ") ORDER BY "
                + walk.order("w") + " LIMIT " + (wanted + 1));
    }

    private static void addWindow(SqlText sql, IndexScan walk, @Nullable EventCursor after, int rows) {
        sql.add("SELECT " + EventSql.SUMMARY + " FROM " + walk.table() + " WHERE ");
        walk.addRange(sql, after);
        sql.add(walk.first(rows));
    }

    private Look read(ResultSet rows, IndexScan walk, int window) throws SQLException {
        RowReader reader = RowReader.of(dialect, rows);
        List<EventSummary> events = new ArrayList<>();
        while (rows.next()) {
            EventSummary event = summary(reader.one(rows));
            if (rows.getInt("matched") == 1) {
                events.add(event);
            }
            if (rows.getLong("place") == window) {
                return new Look(events, walk.cursor(event));
            }
        }
        return new Look(events, null);
    }

    private static EventSummary summary(StoredRow row) {
        OutboxEvent event = row.event();
        return new EventSummary(
                event.eventId(),
                row.seq(),
                event.eventType(),
                event.aggregateType(),
                event.aggregateId(),
                event.tenantId(),
                event.orderingKey(),
                event.occurredAt(),
                event.state());
    }

    /** Counts no further than the limit, and gives up where a page of that many events would. */
    BoundedCount count(Connection conn, SearchPlan way, int limit) {
        long counted = 0;
        for (IndexScan walk : way.walks()) {
            int rows = limit + (way.conditions().isEmpty() ? 1 : rowsMax);
            SqlText sql = new SqlText(dialect).add("SELECT COUNT(*) AS looked, SUM(CASE WHEN ");
            way.conditions().addTo(sql);
            sql.add(" THEN 1 ELSE 0 END) AS matched FROM (");
            addWindow(sql, walk, null, rows);
            BoundedCount some = Sql.query(conn, "count events", sql.add(") c").toString(), sql::bind, row -> {
                row.next();
                return new BoundedCount(row.getLong("matched"), row.getLong("looked") >= rows);
            });
            counted += some.counted();
            if (counted > limit || some.more()) {
                return new BoundedCount(Math.min(counted, limit), true);
            }
        }
        return new BoundedCount(counted, false);
    }
}
