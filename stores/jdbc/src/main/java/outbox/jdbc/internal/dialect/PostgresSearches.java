package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.util.List;
import outbox.jdbc.internal.schema.SearchIndex;
import outbox.jdbc.internal.schema.SearchIndex.Bound;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlText;

/** PostgreSQL has no hints: other plans are switched off, and conditions are written so that only one index fits. */
record PostgresSearches() implements SearchStatements {

    /**
     * The planner takes a range for small when its statistics are older than the rows, and would read all of it to sort
     * it. Of a million events that died since this morning, a page would then cost a million.
     */
    @Override
    public void forceIndexes(Connection conn) {
        String select = "SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),"
                + " set_config('enable_bitmapscan', 'off', true)";
        Sql.strings(conn, "force indexes", select);
    }

    /**
     * Without an equation: given one, the planner might walk the primary key instead, for as long as no row of this type
     * comes. And of several bounds on one side a walk begins at any and only filters by the others, so one is said, the
     * nearest, and the others in words that no index knows: otherwise a search in an old hour may read everything that
     * is younger.
     */
    @Override
    public void addRange(SqlText sql, SearchIndex index, List<Bound> lower, List<Bound> upper) {
        sql.add("(e.status + 0) >= 0");
        addSide(sql, index, ">=", lower);
        addSide(sql, index, "<=", upper);
    }

    private static void addSide(SqlText sql, SearchIndex index, String comparison, List<Bound> bounds) {
        if (bounds.isEmpty()) {
            index.add(sql, " AND e." + index.column() + " " + comparison + " ?");
            return;
        }
        index.add(
                sql,
                " AND (e." + index.column() + ", e.event_id) "
                        + bounds.getFirst().comparison() + " (?");
        sql.add(", ?)", bounds.getFirst().eventId());
        for (Bound further : bounds.subList(1, bounds.size())) {
            sql.add(" AND e.event_id || '' " + further.comparison() + " ?", further.eventId());
        }
    }

    /** The index does not have the id: rows of the same time are all read, and sorted afterwards. */
    @Override
    public String firstSettled(String indexed, String whole, int rows) {
        return " ORDER BY " + indexed + " FETCH FIRST " + rows + " ROWS WITH TIES";
    }
}
