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
 * Scans indexes and keeps the events that match.
 *
 * <p>The database takes a window of rows from an index and checks each; it returns those that match, and the last row of
 * the window, behind which the next one begins. One statement costs these rows and no more, whether a thousand of them
 * match or none.
 *
 * @param rowsMax how many rows one statement checks
 */
public record EventSearch(Dialect dialect, int rowsMax) {

    /**
     * What a search has found.
     *
     * @param next where to continue; null at the end of the plan
     */
    record Found(List<EventSummary> events, @Nullable EventCursor next) {

        boolean isCut(int limit) {
            return next != null && events.size() < limit;
        }
    }

    /** The next events of the plan, with one statement for each of its scans. */
    Found some(Connection conn, SearchPlan plan, @Nullable EventCursor after, int limit) {
        List<EventSummary> events = new ArrayList<>();
        for (IndexScan scan : plan.scans()) {
            Found window = window(conn, plan, scan, after, limit + 1 - events.size());
            events.addAll(window.events());
            if (events.size() > limit) {
                return new Found(events.subList(0, limit), scan.cursor(events.get(limit - 1)));
            }
            if (window.next() != null) {
                return new Found(events, window.next());
            }
        }
        return new Found(events, null);
    }

    /** The first events of the plan, however many rows have to be checked. */
    List<EventSummary> first(Connection conn, SearchPlan plan, int limit) {
        List<EventSummary> events = new ArrayList<>();
        @Nullable EventCursor after = null;
        do {
            Found found = some(conn, plan, after, limit - events.size());
            events.addAll(found.events());
            after = found.next();
        } while (after != null && events.size() < limit);
        return events;
    }

    private Found window(Connection conn, SearchPlan plan, IndexScan scan, @Nullable EventCursor after, int wanted) {
        int rows = plan.conditions().isEmpty() ? Math.min(wanted, rowsMax) : rowsMax;
        SqlText sql = statement(plan, scan, after, rows, wanted);
        return Sql.query(conn, "search events", sql.toString(), sql::bind, found -> read(found, scan, rows));
    }

    public SqlText statement(SearchPlan plan, IndexScan scan, @Nullable EventCursor after, int rows, int wanted) {
        SqlText sql = new SqlText(dialect).add("SELECT w.* FROM (SELECT c.*, CASE WHEN ");
        plan.conditions().addTo(sql);
        sql.add(" THEN 1 ELSE 0 END AS matched, ROW_NUMBER() OVER (ORDER BY " + scan.order("c") + ") AS place FROM (");
        addWindow(sql, scan, after, rows);
        return sql.add(") c) w WHERE w.place <= " + rows + " AND (w.matched = 1 OR w.place = " + rows + ") ORDER BY "
                + scan.order("w") + " LIMIT " + (wanted + 1));
    }

    private static void addWindow(SqlText sql, IndexScan scan, @Nullable EventCursor after, int rows) {
        sql.add("SELECT " + EventSql.SUMMARY + " FROM " + scan.table() + " WHERE ");
        scan.addRange(sql, after);
        sql.add(scan.first(rows));
    }

    private Found read(ResultSet rows, IndexScan scan, int windowRows) throws SQLException {
        RowReader reader = RowReader.of(dialect, rows);
        List<EventSummary> events = new ArrayList<>();
        while (rows.next()) {
            EventSummary event = summary(reader.one(rows));
            if (rows.getInt("matched") == 1) {
                events.add(event);
            }
            if (rows.getLong("place") == windowRows) {
                return new Found(events, scan.cursor(event));
            }
        }
        return new Found(events, null);
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
    BoundedCount count(Connection conn, SearchPlan plan, int limit) {
        long counted = 0;
        for (IndexScan scan : plan.scans()) {
            int rows = limit + (plan.conditions().isEmpty() ? 1 : rowsMax);
            SqlText sql = new SqlText(dialect).add("SELECT COUNT(*) AS checked, SUM(CASE WHEN ");
            plan.conditions().addTo(sql);
            sql.add(" THEN 1 ELSE 0 END) AS matched FROM (");
            addWindow(sql, scan, null, rows);
            BoundedCount some = Sql.query(conn, "count events", sql.add(") c").toString(), sql::bind, row -> {
                row.next();
                return new BoundedCount(row.getLong("matched"), row.getLong("checked") >= rows);
            });
            counted += some.counted();
            if (counted > limit || some.more()) {
                return new BoundedCount(Math.min(counted, limit), true);
            }
        }
        return new BoundedCount(counted, false);
    }
}
