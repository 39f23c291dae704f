package outbox.jdbc.internal.schema;

import java.util.List;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.dialect.H2RelayDialect;

/** The statements that make and drop the index for a number of partitions; each stops writers as little as the database can. */
sealed interface PartitionDdl {

    /** What must be done before an index can be made, given the broken ones. */
    List<String> repair(int partitions, List<String> broken);

    List<String> create(int partitions);

    List<String> drop(int partitions);

    static PartitionDdl of(Dialect dialect, TableNames tables) {
        return switch (dialect.name()) {
            case "postgresql" -> new Postgres(tables);
            case "h2" -> new H2();
            default -> new MySql(tables);
        };
    }

    private static String index(TableNames tables, int partitions) {
        return tables.unqualified() + "_p" + partitions;
    }

    /** The index's name with the schema of its table. */
    private static String qualified(TableNames tables, int partitions) {
        return tables.event().substring(0, tables.event().indexOf('.') + 1) + index(tables, partitions);
    }

    /** An index that was broken off is left behind as invalid, and costs writes without serving reads. */
    record Postgres(TableNames tables) implements PartitionDdl {

        @Override
        public List<String> repair(int partitions, List<String> broken) {
            return broken.stream().anyMatch(index(tables, partitions)::equalsIgnoreCase) ? drop(partitions) : List.of();
        }

        @Override
        public List<String> create(int partitions) {
            return List.of("CREATE INDEX CONCURRENTLY IF NOT EXISTS " + index(tables, partitions) + " ON "
                    + tables.event() + " ((key_hash % " + partitions + "), seq) WHERE (status % 2) = 0");
        }

        @Override
        public List<String> drop(int partitions) {
            return List.of("DROP INDEX CONCURRENTLY IF EXISTS " + qualified(tables, partitions));
        }
    }

    /**
     * MySQL and MariaDB choose the way that stops writers least by themselves, as long as each step is a statement.
     *
     * <p>The column stays when the index goes. It is virtual and costs nothing; but when one is dropped that others
     * come after, MySQL 9.7 may fall back behind the AUTO_INCREMENT it had reached, and a writer fails with a seq that
     * is taken.
     */
    record MySql(TableNames tables) implements PartitionDdl {

        @Override
        public List<String> repair(int partitions, List<String> broken) {
            return List.of();
        }

        @Override
        public List<String> create(int partitions) {
            String column = "partition_" + partitions;
            return List.of(
                    "ALTER TABLE " + tables.event() + " ADD COLUMN " + column
                            + " INT GENERATED ALWAYS AS (CASE WHEN status IN (0, 2) THEN key_hash % " + partitions
                            + " END) VIRTUAL",
                    "ALTER TABLE " + tables.event() + " ADD INDEX " + index(tables, partitions) + " (" + column
                            + ", seq, key_hash)");
        }

        @Override
        public List<String> drop(int partitions) {
            return List.of("ALTER TABLE " + tables.event() + " DROP INDEX " + index(tables, partitions));
        }
    }

    /** H2 needs none; see {@link H2RelayDialect}. */
    record H2() implements PartitionDdl {

        @Override
        public List<String> repair(int partitions, List<String> broken) {
            return List.of();
        }

        @Override
        public List<String> create(int partitions) {
            return List.of();
        }

        @Override
        public List<String> drop(int partitions) {
            return List.of();
        }
    }
}
