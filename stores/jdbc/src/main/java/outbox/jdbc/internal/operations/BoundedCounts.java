package outbox.jdbc.internal.operations;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.operations.BoundedCount;

/** Counts rows no further than a limit, so that the cost of a count follows the limit and never the table. */
final class BoundedCounts {

    private BoundedCounts() {}

    static BoundedCount count(Connection conn, String table, String condition, Sql.Binding binding, int limit) {
        String sql = "SELECT COUNT(*) FROM (SELECT 1 AS one FROM " + table + " e WHERE " + condition + " LIMIT "
                + (limit + 1L) + ") counted";
        long found = Sql.query(conn, "count events", sql, binding, BoundedCounts::first);
        return new BoundedCount(Math.min(found, limit), found > limit);
    }

    private static long first(ResultSet row) throws SQLException {
        row.next();
        return row.getLong(1);
    }
}
