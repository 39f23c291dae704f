package outbox.jdbc.internal.dialect;

import java.util.List;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.sql.QualifiedName;

/** H2 has no index of partitions; see {@link H2Reads}. */
record H2Indexes(TableNames tables) implements IndexStatements {

    @Override
    public String list() {
        return "SELECT index_name, column_name, '', TRUE, FALSE FROM information_schema.index_columns"
                + " WHERE LOWER(table_schema) = LOWER(COALESCE(?, CURRENT_SCHEMA))"
                + " AND LOWER(table_name) = LOWER(?) ORDER BY index_name, ordinal_position";
    }

    @Override
    public List<String> create(int partitions) {
        return List.of();
    }

    @Override
    public String drop(String index) {
        return "DROP INDEX IF EXISTS " + QualifiedName.of(tables.event()).sibling(index);
    }
}
