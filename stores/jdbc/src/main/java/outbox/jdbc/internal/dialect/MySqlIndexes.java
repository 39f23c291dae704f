package outbox.jdbc.internal.dialect;

import java.util.List;
import outbox.jdbc.TableNames;

/**
 * MySQL and MariaDB choose the algorithm that stops writers least, as long as each step is a statement.
 *
 * <p>The column of partitions stays when its index goes. It is virtual and costs nothing; but when one is dropped that
 * others come after, MySQL 9.7 may fall back behind the AUTO_INCREMENT it had reached, and a writer fails with a seq that
 * is taken.
 */
record MySqlIndexes(TableNames tables) implements IndexStatements {

    @Override
    public String list() {
        return "SELECT index_name, column_name, '', TRUE, FALSE FROM information_schema.statistics"
                + " WHERE table_schema = COALESCE(?, DATABASE()) AND LOWER(table_name) = LOWER(?)"
                + " ORDER BY index_name, seq_in_index";
    }

    @Override
    public List<String> create(int partitions) {
        String column = "partition_" + partitions;
        return List.of(
                "ALTER TABLE " + tables.event() + " ADD COLUMN " + column
                        + " INT GENERATED ALWAYS AS (CASE WHEN status IN (0, 2) THEN key_hash % " + partitions
                        + " END) VIRTUAL",
                "ALTER TABLE " + tables.event() + " ADD INDEX " + IndexStatements.ofPartitions(tables, partitions)
                        + " (" + column + ", seq, key_hash)");
    }

    @Override
    public String drop(String index) {
        return "ALTER TABLE " + tables.event() + " DROP INDEX " + index;
    }
}
