package outbox.jdbc.internal.dialect;

import java.sql.Connection;
import java.util.List;
import outbox.jdbc.internal.schema.SearchIndex;
import outbox.jdbc.internal.schema.SearchIndex.Bound;
import outbox.jdbc.internal.sql.SqlText;

/** How an operator's search stays on the index that it is made for. */
public interface SearchStatements {

    /** Makes the planner walk indexes for the rest of this transaction, where it might sort the table instead. */
    void forceIndexes(Connection conn);

    /** Adds the condition on e of a search in an index, within bounds of the id, the nearest bound of each side first. */
    void addRange(SqlText sql, SearchIndex index, List<Bound> lower, List<Bound> upper);

    /**
     * The order and the limit with which the first rows of the index of settled events are found; of the last ones there
     * may be more.
     *
     * @param indexed the order that the index has
     * @param whole the order that no two rows share
     */
    String firstSettled(String indexed, String whole, int rows);
}
