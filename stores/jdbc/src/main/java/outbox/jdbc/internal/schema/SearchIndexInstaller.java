package outbox.jdbc.internal.schema;

import java.sql.Connection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import outbox.jdbc.Database;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.sql.AutoCommitStatement;
import outbox.jdbc.internal.sql.SingleStatement;
import outbox.spi.ConnectionProvider;
import outbox.spi.operations.OperatorStore.SearchIndexes;

/**
 * The indexes that an operator may choose to have: searches by key and by type over settled events. They are no part of
 * the schema's version, are made and dropped while the table is in use, and no relay reads them.
 */
public record SearchIndexInstaller(ConnectionProvider connectionProvider, TableNames tables) {

    private static final String BY_KEY = "_search_key";
    private static final String BY_TYPE = "_search_type";

    /**
     * Creates those that are missing. On a large table this takes minutes, in which writers continue.
     *
     * @throws IllegalStateException while another process is building one: it would be dropped as soon as it is done, or the
     *     two would wait for each other
     */
    public void create() {
        AutoCommitStatement.run(connectionProvider, "make the indexes of searches", conn -> {
            Dialect dialect = Dialect.of(conn);
            List<FoundIndex> there = FoundIndex.all(conn, dialect, tables);
            String inProgress = there.stream()
                    .filter(FoundIndex::inProgress)
                    .map(FoundIndex::name)
                    .collect(Collectors.joining(" and "));
            if (!inProgress.isEmpty()) {
                throw new IllegalStateException(
                        "another process is building " + inProgress + " right now; try again when that is done");
            }
            AutoCommitStatement.execute(conn, drops(dialect, there.stream().filter(index -> !index.valid())));
            AutoCommitStatement.execute(conn, Migration.statements(print(dialect.name(), tables)));
            return conn;
        });
    }

    /** Drops those that are there. */
    public void drop() {
        AutoCommitStatement.run(connectionProvider, "drop the indexes of searches", conn -> {
            Dialect dialect = Dialect.of(conn);
            AutoCommitStatement.execute(conn, drops(dialect, FoundIndex.all(conn, dialect, tables).stream()));
            return conn;
        });
    }

    /** Which there are, and are whole. */
    public SearchIndexes present() {
        return SingleStatement.run(connectionProvider, conn -> present(conn, Dialect.of(conn), tables));
    }

    public static SearchIndexes present(Connection conn, Dialect dialect, TableNames tables) {
        List<String> names = FoundIndex.all(conn, dialect, tables).stream()
                .filter(FoundIndex::valid)
                .map(FoundIndex::name)
                .toList();
        return new SearchIndexes(names.contains(name(tables, BY_KEY)), names.contains(name(tables, BY_TYPE)));
    }

    /** The statements that make them, for another migration tool; on PostgreSQL none of them can be in a transaction. */
    public static String print(Database database, TableNames tables) {
        return print(database.folder, tables);
    }

    private static String print(String folder, TableNames tables) {
        return Migration.read(folder + "/optional/search.sql", tables);
    }

    private List<String> drops(Dialect dialect, Stream<FoundIndex> there) {
        List<String> ours = List.of(name(tables, BY_KEY), name(tables, BY_TYPE));
        return there.map(FoundIndex::name)
                .filter(ours::contains)
                .map(dialect.indexes(tables)::drop)
                .toList();
    }

    private static String name(TableNames tables, String ending) {
        return (tables.unqualified() + ending).toLowerCase(Locale.ROOT);
    }
}
