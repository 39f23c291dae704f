package outbox.jdbc.internal.schema;

import java.sql.Connection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.AutoCommitStatement;
import outbox.spi.ConnectionProvider;

/** The indexes of slots, one for each number of partitions, made and dropped while the table is in use. */
public record PartitionIndexes(ConnectionProvider connectionProvider, TableNames tables) {

    /** Makes the index if it is not there. */
    public void create(int partitions) {
        AutoCommitStatement.run(connectionProvider, "make the index for " + partitions + " partitions", conn -> {
            Dialect dialect = Dialect.of(conn);
            PartitionDdl ddl = PartitionDdl.of(dialect, tables);
            AutoCommitStatement.execute(conn, ddl.repair(partitions, new IndexNames(dialect, tables).broken(conn)));
            if (!all(conn).contains(partitions)) {
                AutoCommitStatement.execute(conn, ddl.create(partitions));
            }
            return partitions;
        });
    }

    /** The numbers of partitions that there is an index for. */
    public Set<Integer> all() {
        return AutoCommitStatement.run(connectionProvider, "look for indexes", this::all);
    }

    public void drop(int partitions) {
        AutoCommitStatement.run(connectionProvider, "drop the index for " + partitions + " partitions", conn -> {
            AutoCommitStatement.execute(
                    conn, PartitionDdl.of(Dialect.of(conn), tables).drop(partitions));
            return partitions;
        });
    }

    private Set<Integer> all(Connection conn) {
        Pattern ours = Pattern.compile(Pattern.quote(tables.unqualified()) + "_p(\\d{1,4})", Pattern.CASE_INSENSITIVE);
        Set<Integer> numbers = new TreeSet<>();
        for (String name : new IndexNames(Dialect.of(conn), tables).usable(conn)) {
            Matcher matcher = ours.matcher(name);
            if (matcher.matches()) {
                numbers.add(Integer.valueOf(matcher.group(1)));
            }
        }
        return numbers;
    }
}
