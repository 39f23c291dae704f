package outbox.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.event.JdbcRetentionStore;
import outbox.jdbc.internal.operations.JdbcOperatorStore;
import outbox.jdbc.internal.operations.JdbcStatisticsStore;
import outbox.jdbc.internal.relay.JdbcClusterAdmin;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.spi.ClaimStore;
import outbox.spi.PublishStore;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.TimeSource;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.StatisticsStore;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.PartitionStore;
import outbox.testkit.OperatorFixture;

/** The JDBC store on a test database, emptied each time it is opened. */
final class JdbcStoreFixture implements OperatorFixture {

    private final TestDatabase database;
    private final JdbcOutboxRepository repository = new JdbcOutboxRepository();
    /** Each keeps a connection of its own, as each node does. */
    private final List<JdbcClusterStore> clusters = new CopyOnWriteArrayList<>();

    private JdbcStoreFixture(TestDatabase database) {
        this.database = database;
    }

    /** As the database is. */
    static JdbcStoreFixture on(TestDatabase database) {
        return new JdbcStoreFixture(database);
    }

    static JdbcStoreFixture open(TestDatabase database) {
        new SchemaInstaller(database.connections()).install();
        for (String table :
                List.of("event", "node", "attempt", "delivery", "hold", "audit", "audit_event", "original")) {
            database.execute("DELETE FROM outbox_" + table);
        }
        database.execute("UPDATE outbox_slot SET owner = NULL, deaths = 0, acquired_at = NULL");
        database.execute("UPDATE outbox_meta SET claim_strategy = NULL, partitions = 6, partitions_wanted = NULL");
        return new JdbcStoreFixture(database);
    }

    @Override
    public Session newSession() {
        return new JdbcSession();
    }

    @Override
    public ClaimStore claimStore() {
        return repository.claims(database.connections());
    }

    @Override
    public SettleStore settleStore() {
        return repository.settlements(database.connections());
    }

    @Override
    public StatisticsStore statisticsStore() {
        return new JdbcStatisticsStore(database.connections(), TableNames.DEFAULT);
    }

    @Override
    public RetentionStore retentionStore() {
        return new JdbcRetentionStore(database.connections(), TableNames.DEFAULT);
    }

    @Override
    public PartitionStore relayStore() {
        return new JdbcPartitionStore(
                database.connections(), TableNames.DEFAULT, TimeSource.SYSTEM, Duration.ofSeconds(10));
    }

    @Override
    public ClusterStore clusterStore() {
        JdbcClusterStore cluster = new JdbcClusterStore(database.connections(), TableNames.DEFAULT);
        clusters.add(cluster);
        return cluster;
    }

    @Override
    public ClusterAdmin clusterAdmin() {
        return new JdbcClusterAdmin(database.connections(), TableNames.DEFAULT);
    }

    @Override
    public OperatorStore operatorStore() {
        return new JdbcOperatorStore(database.connections(), TableNames.DEFAULT, JdbcOperatorStore.ROWS_PER_STATEMENT);
    }

    @Override
    public OperatorStore operatorStore(int rowsPerLookMax) {
        return new JdbcOperatorStore(database.connections(), TableNames.DEFAULT, rowsPerLookMax);
    }

    @Override
    public List<FailedAttempt> failedAttempts(String eventId) {
        List<FailedAttempt> attempts = new ArrayList<>();
        try (Connection conn = database.dataSource().getConnection();
                PreparedStatement statement = conn.prepareStatement("SELECT attempt, node_id, destination, error FROM"
                        + " outbox_attempt WHERE event_id = ? ORDER BY attempt")) {
            statement.setString(1, eventId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    attempts.add(
                            new FailedAttempt(rows.getInt(1), rows.getString(2), rows.getString(3), rows.getString(4)));
                }
            }
            return attempts;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void corruptHeaders(String eventId, String headersText) {
        database.execute("UPDATE outbox_event SET headers = '" + headersText.replace("'", "''") + "' WHERE event_id = '"
                + eventId + "'");
    }

    @Override
    public void empty() {
        String product = database.product();
        database.execute("TRUNCATE TABLE outbox_event" + (product.matches("PostgreSQL|H2") ? " RESTART IDENTITY" : ""));
    }

    @Override
    public void close() {
        clusters.forEach(JdbcClusterStore::close);
    }

    private final class JdbcSession implements Session {

        private final ThreadLocalTxContext context = new ThreadLocalTxContext();
        private final JdbcTransactionManager manager = new JdbcTransactionManager(database.connections(), context);
        private JdbcTransactionManager.@Nullable Transaction transaction;

        @Override
        public PublishStore store() {
            return repository.publisher(context);
        }

        @Override
        public void begin() {
            try {
                transaction = manager.begin();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void commit() {
            try {
                current().commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void rollback() {
            try {
                current().rollback();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try {
                if (transaction != null) {
                    transaction.close();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private JdbcTransactionManager.Transaction current() {
            if (transaction == null) {
                throw new IllegalStateException("begin first");
            }
            return transaction;
        }
    }
}
