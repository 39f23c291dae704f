package outbox.jdbc.internal.schema;

import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.dialect.IndexStatements;
import outbox.jdbc.internal.sql.AutoCommitStatement;
import outbox.spi.ConnectionProvider;

/** The indexes of partitions, one for each number of them, created and dropped while the table is in use. */
public record PartitionIndexes(ConnectionProvider connectionProvider, TableNames tables) {

    /** Makes the index if it is not there; one that was broken off is dropped first. */
    public void create(int partitions) {
        AutoCommitStatement.run(connectionProvider, "make the index for " + partitions + " partitions", conn -> {
            Dialect dialect = Dialect.of(conn);
            String name = IndexStatements.ofPartitions(tables, partitions);
            IndexStatements statements = dialect.indexes(tables);
            if (FoundIndex.all(conn, dialect, tables).stream()
                    .anyMatch(index -> !index.valid() && index.name().equalsIgnoreCase(name))) {
                AutoCommitStatement.execute(conn, List.of(statements.drop(name)));
            }
            if (!all(conn).contains(partitions)) {
                AutoCommitStatement.execute(conn, statements.create(partitions));
            }
            return partitions;
        });
    }

    /** The numbers of partitions that there is an index for. */
    public Set<Integer> all() {
        return AutoCommitStatement.run(connectionProvider, "read the indexes", this::all);
    }

    public void drop(int partitions) {
        AutoCommitStatement.run(connectionProvider, "drop the index for " + partitions + " partitions", conn -> {
            String name = IndexStatements.ofPartitions(tables, partitions);
            AutoCommitStatement.execute(
                    conn, List.of(Dialect.of(conn).indexes(tables).drop(name)));
            return partitions;
        });
    }

    private Set<Integer> all(Connection conn) {
        Pattern ours = Pattern.compile(Pattern.quote(tables.unqualified()) + "_p(\\d{1,4})", Pattern.CASE_INSENSITIVE);
        Set<Integer> numbers = new TreeSet<>();
        for (FoundIndex index : FoundIndex.all(conn, Dialect.of(conn), tables)) {
            Matcher matcher = ours.matcher(index.name());
            if (index.valid() && matcher.matches()) {
                numbers.add(Integer.valueOf(matcher.group(1)));
            }
        }
        return numbers;
    }
}
