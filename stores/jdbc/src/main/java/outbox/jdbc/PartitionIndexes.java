package outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import outbox.spi.ConnectionProvider;

/** The indexes of slots, one for each number of partitions, made and dropped while the table is in use. */
record PartitionIndexes(ConnectionProvider connectionProvider, TableNames tables) {

    /** Makes the index if it is not there. */
    void create(int partitions) {
        onConnection("make the index for " + partitions + " partitions", conn -> {
            PartitionDdl ddl = PartitionDdl.of(Dialect.of(conn), tables);
            execute(conn, ddl.repair(partitions, names(conn, ddl.broken(), ddl)));
            if (!all(conn, ddl).contains(partitions)) {
                execute(conn, ddl.create(partitions));
            }
            return partitions;
        });
    }

    /** The numbers of partitions that there is an index for. */
    Set<Integer> all() {
        return onConnection("look for indexes", conn -> all(conn, PartitionDdl.of(Dialect.of(conn), tables)));
    }

    void drop(int partitions) {
        onConnection("drop the index for " + partitions + " partitions", conn -> {
            execute(conn, PartitionDdl.of(Dialect.of(conn), tables).drop(partitions));
            return partitions;
        });
    }

    private Set<Integer> all(Connection conn, PartitionDdl ddl) {
        Pattern ours = Pattern.compile(Pattern.quote(tables.unqualified()) + "_p(\\d{1,4})", Pattern.CASE_INSENSITIVE);
        Set<Integer> numbers = new TreeSet<>();
        for (String name : names(conn, ddl.names(), ddl)) {
            Matcher matcher = ours.matcher(name);
            if (matcher.matches()) {
                numbers.add(Integer.valueOf(matcher.group(1)));
            }
        }
        return numbers;
    }

    private static List<String> names(Connection conn, String select, PartitionDdl ddl) {
        return Sql.query(conn, "look for indexes", select, statement -> ddl.bindTable(statement), Sql::strings);
    }

    private static void execute(Connection conn, Collection<String> ddl) throws SQLException {
        try (Statement statement = conn.createStatement()) {
            for (String sql : ddl) {
                executeOnce(statement, sql);
            }
        }
    }

    // An earlier try may have come half the way.
    private static void executeOnce(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            if (!SqlFailure.isColumnOrIndexThere(e)) {
                throw e;
            }
        }
    }

    @FunctionalInterface
    private interface Work<T> {
        T on(Connection conn) throws SQLException;
    }

    // By statements that commit by themselves: PostgreSQL makes no index beside writers in a transaction.
    private <T> T onConnection(String attempted, Work<T> work) {
        try (Connection conn = connectionProvider.getConnection()) {
            boolean autoCommit = conn.getAutoCommit();
            conn.setAutoCommit(true);
            try {
                return work.on(conn);
            } finally {
                conn.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw SqlFailure.of(attempted, e);
        }
    }
}
