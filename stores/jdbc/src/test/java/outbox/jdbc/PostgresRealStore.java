package outbox.jdbc;

import catbox.simulation.RealStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.IntStream;
import outbox.jdbc.internal.schema.PartitionIndexes;
import outbox.testkit.StoreFixture;

/** PostgreSQL for a simulated cluster: its rows are moved in time, since its clock cannot be. */
record PostgresRealStore(StoreFixture fixture, TestDatabase database) implements RealStore {

    private static final int PARTITIONS_MAX = 10;

    /**
     * Installs the schema, with the indexes of all partitions that there may be: to make one later waits for open
     * transactions, which one thread cannot end meanwhile. Nor is the disk waited for: no server dies here.
     */
    static void prepare(TestDatabase database) {
        database.execute("DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || quote_ident(current_database())"
                + " || ' SET synchronous_commit = off'; END $$");
        database.dataSource().getHikariPoolMXBean().softEvictConnections();
        new SchemaInstaller(database.connections()).install();
        PartitionIndexes indexes = new PartitionIndexes(database.connections(), TableNames.DEFAULT);
        IntStream.rangeClosed(1, PARTITIONS_MAX).forEach(indexes::create);
    }

    static PostgresRealStore open(TestDatabase database) {
        return new PostgresRealStore(JdbcStoreFixture.open(database), database);
    }

    @Override
    public int partitions() {
        return Integer.parseInt(ask("SELECT partitions FROM outbox_meta"));
    }

    @Override
    public boolean isQuiet() {
        return ask("SELECT EXISTS (SELECT 1 FROM outbox_event WHERE (status % 2) = 0)")
                .equals("f");
    }

    @Override
    public void pass(Duration time) {
        String passed = time.toNanos() / 1_000 + " * INTERVAL '1 microsecond'";
        database.execute(
                "UPDATE outbox_node SET heartbeat_at = heartbeat_at - " + passed + ", expires_at = expires_at - "
                        + passed + "; UPDATE outbox_event SET available_at = greatest(available_at - " + passed
                        + ", statement_timestamp()) WHERE (status % 2) = 0 AND available_at > statement_timestamp();"
                        + " UPDATE outbox_event SET claimed_until = claimed_until - " + passed
                        + " WHERE (status % 2) = 0 AND claimed_until IS NOT NULL");
    }

    @Override
    public void disconnect(String session) {
        ask("SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_locks WHERE locktype = 'advisory'"
                + " AND (classid::bigint << 32 | objid::bigint) = hashtextextended('catbox " + session + "', 0)");
    }

    private String ask(String query) {
        try (Connection conn = database.dataSource().getConnection();
                Statement statement = conn.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }
}
