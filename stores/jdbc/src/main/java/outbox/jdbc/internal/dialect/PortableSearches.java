package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import outbox.jdbc.internal.schema.SearchIndex;
import outbox.jdbc.internal.schema.SearchIndex.Bound;
import outbox.jdbc.internal.sql.SqlText;

/** MySQL and MariaDB, which are given the index's name, and H2, which has no statistics that could mislead it. */
record PortableSearches() implements SearchStatements {

    @Override
    public void forceIndexes(Connection conn) {}

    @Override
    public void addRange(SqlText sql, SearchIndex index, List<Bound> lower, List<Bound> upper) {
        index.add(sql, "e." + index.column() + " = ?");
        Stream.concat(lower.stream(), upper.stream())
                .forEach(bound -> sql.add(" AND e.event_id " + bound.comparison() + " ?", bound.eventId()));
    }

    @Override
    public String firstSettled(String indexed, String whole, int rows) {
        return " ORDER BY " + whole + " LIMIT " + rows;
    }
}
