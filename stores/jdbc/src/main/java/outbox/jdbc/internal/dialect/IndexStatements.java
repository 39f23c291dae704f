package outbox.jdbc.internal.dialect;

import java.util.List;
import outbox.jdbc.TableNames;

/** The statements that list, create and drop the event table's indexes; each stops writers as little as the database can. */
public interface IndexStatements {

    /**
     * A SELECT of every column of every index of a table, in order: the index, the column or expression, the condition of
     * a partial index, whether the index is complete, and whether it is being built. Its parameters are the schema, or
     * null, and the table.
     */
    String list();

    /** Creates what reads of this number of partitions need. */
    List<String> create(int partitions);

    /** Drops an index. */
    String drop(String index);

    /** The name of the index for a number of partitions. */
    static String ofPartitions(TableNames tables, int partitions) {
        return tables.unqualified() + "_p" + partitions;
    }
}
