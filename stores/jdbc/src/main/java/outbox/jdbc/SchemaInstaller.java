package outbox.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import outbox.internal.JdbcTransaction;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.relay.MetaRow;
import outbox.jdbc.internal.schema.Migration;
import outbox.jdbc.internal.schema.SchemaCheck;
import outbox.jdbc.internal.schema.SearchIndexInstaller;
import outbox.jdbc.internal.sql.AutoCommitStatement;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.ConnectionProvider;
import outbox.spi.operations.OperatorStore.SearchIndexes;
import outbox.spi.relay.StoredLayout;

/** Creates the outbox's tables or brings them up to date, and prints the SQL for it. Only explicit calls change a schema. */
public final class SchemaInstaller {

    private static final Logger LOG = System.getLogger(SchemaInstaller.class.getName());

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;

    public SchemaInstaller(ConnectionProvider connectionProvider) {
        this(connectionProvider, TableNames.DEFAULT);
    }

    public SchemaInstaller(ConnectionProvider connectionProvider, TableNames tables) {
        this.connectionProvider = connectionProvider;
        this.tables = tables;
    }

    /** Applies what is missing and returns the versions applied. Several instances may call it at once. */
    public List<Integer> install() {
        return JdbcTransaction.runPatiently(connectionProvider, this::install);
    }

    /** What {@link #install()} would apply, in order: each version with its title. Changes nothing. */
    public SortedMap<Integer, String> missing() {
        return JdbcTransaction.run(connectionProvider, conn -> {
            try {
                int installed = installedVersion(conn);
                SortedMap<Integer, String> missing = new TreeMap<>();
                Migration.ALL.stream()
                        .filter(migration -> migration.version() > installed)
                        .forEach(migration -> missing.put(migration.version(), migration.title()));
                return missing;
            } catch (SQLException e) {
                throw SqlFailure.of("read the version of table " + tables.event(), e);
            }
        });
    }

    private List<Integer> install(Connection conn) {
        Dialect dialect = Dialect.of(conn);
        dialect.sessions().lockMigrations(conn, tables.event());
        try {
            return applyMissing(conn, dialect);
        } catch (SQLException e) {
            throw SqlFailure.of("install table " + tables.event(), e);
        } finally {
            dialect.sessions().unlockMigrations(conn, tables.event());
        }
    }

    private List<Integer> applyMissing(Connection conn, Dialect dialect) throws SQLException {
        int installed = installedVersion(conn);
        List<Integer> applied = new ArrayList<>();
        for (Migration migration : Migration.ALL) {
            if (migration.version() > installed) {
                apply(conn, dialect, migration);
                applied.add(migration.version());
                LOG.log(Level.INFO, "table {0} is now of version {1}", tables.event(), migration.version());
            }
        }
        return applied;
    }

    private void apply(Connection conn, Dialect dialect, Migration migration) throws SQLException {
        AutoCommitStatement.execute(conn, migration.statements(dialect.name(), tables));
        // Counted up after each step, so that a failure leaves the number of the last one that is whole.
        String update = "UPDATE " + tables.meta() + " SET schema_version = ? WHERE id = 1";
        Sql.update(conn, "record the schema's version", update, migration.version());
    }

    // In a savepoint, because on PostgreSQL a statement that fails ends the transaction.
    private int installedVersion(Connection conn) throws SQLException {
        Savepoint before = conn.setSavepoint();
        try (Statement statement = conn.createStatement()) {
            statement.execute("SELECT 1 FROM " + tables.event() + " WHERE 1 = 0");
            try (ResultSet row =
                    statement.executeQuery("SELECT schema_version FROM " + tables.meta() + " WHERE id = 1")) {
                return row.next() ? row.getInt(1) : 0;
            }
        } catch (SQLException e) {
            if (!SqlFailure.isMissingTable(e)) {
                throw e;
            }
            conn.rollback(before);
            return 0;
        }
    }

    /**
     * Checks that the tables are there and of the version of this library.
     *
     * @throws outbox.SchemaException that says what is wrong and what to run
     */
    public void check() {
        JdbcTransaction.run(connectionProvider, conn -> {
            new SchemaCheck(tables).requireVersion(conn);
            return conn;
        });
    }

    /** The whole schema as SQL for a database, ready for another migration tool. */
    public static String print(Database database, TableNames tables) {
        StringBuilder sql = new StringBuilder();
        for (Migration migration : Migration.ALL) {
            sql.append(migration.sql(database.folder, tables))
                    .append("\nUPDATE ")
                    .append(tables.meta())
                    .append(" SET schema_version = ")
                    .append(migration.version())
                    .append(" WHERE id = 1;\n");
        }
        return sql.toString();
    }

    /** The whole schema as SQL for the database that the connections lead to. */
    public String print() {
        return JdbcTransaction.run(
                connectionProvider,
                conn -> print(Database.valueOf(Dialect.of(conn).name().toUpperCase(Locale.ROOT)), tables));
    }

    /** Which of the indexes for searches exist. No version of the schema has them; an operator may choose them. */
    public SearchIndexes searchIndexes() {
        return searchIndexInstaller().present();
    }

    /** Creates the indexes for searches that are missing, while the table is in use. */
    public void createSearchIndexes() {
        searchIndexInstaller().create();
    }

    /** Drops the indexes for searches. */
    public void dropSearchIndexes() {
        searchIndexInstaller().drop();
    }

    private SearchIndexInstaller searchIndexInstaller() {
        return new SearchIndexInstaller(connectionProvider, tables);
    }

    /**
     * Gives the table to dispatchers. Stop every relay first: one that runs continues, and would deliver the same events as
     * a dispatcher.
     */
    public void changeToDispatchers() {
        JdbcTransaction.run(connectionProvider, conn -> {
            new MetaRow(Dialect.of(conn), tables).setStrategy(conn, StoredLayout.DISPATCHER);
            return conn;
        });
    }
}
