package outbox.jdbc;

import java.time.Duration;
import javax.sql.DataSource;
import outbox.jdbc.internal.diagnosis.DiagnosisLimits;
import outbox.jdbc.internal.diagnosis.JdbcDiagnosisStore;
import outbox.jdbc.internal.event.JdbcRetentionStore;
import outbox.jdbc.internal.operations.JdbcOperatorStore;
import outbox.jdbc.internal.operations.JdbcStatisticsStore;
import outbox.jdbc.internal.relay.JdbcClusterAdmin;
import outbox.jdbc.internal.relay.JdbcClusterStore;
import outbox.jdbc.internal.relay.JdbcPartitionStore;
import outbox.spi.ClaimStore;
import outbox.spi.ConnectionProvider;
import outbox.spi.PublishStore;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.TimeSource;
import outbox.spi.TxContext;
import outbox.spi.operations.DiagnosisStore;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.StatisticsStore;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.RelayStores;

/** Every port of one outbox table: for publishers, dispatchers, relays and operator tools. */
public final class JdbcStores {

    private static final Duration NODE_TIMEOUT_DEFAULT = Duration.ofSeconds(10);

    private final ConnectionProvider connections;
    private final TableNames tables;
    private final JdbcOutboxRepository repository;

    /** The stores of the table {@code outbox_event}. */
    public JdbcStores(DataSource dataSource) {
        this(new DataSourceConnectionProvider(dataSource));
    }

    /** The stores of the table {@code outbox_event}. */
    public JdbcStores(ConnectionProvider connections) {
        this(connections, TableNames.DEFAULT);
    }

    public JdbcStores(ConnectionProvider connections, TableNames tables) {
        this.connections = connections;
        this.tables = tables;
        this.repository = new JdbcOutboxRepository(tables);
    }

    /** Stores events in the transactions that the context knows. */
    public PublishStore publishing(TxContext context) {
        return repository.publisher(context);
    }

    /** Claims events one by one. */
    public ClaimStore claims() {
        return repository.claims(connections);
    }

    /** Settles events that were claimed one by one. */
    public SettleStore settlements() {
        return repository.settlements(connections);
    }

    /** What a relay with the default node time-out works on. */
    public RelayStores relay() {
        return relay(connections, NODE_TIMEOUT_DEFAULT);
    }

    /**
     * What a relay works on.
     *
     * @param heartbeats gives the connections of the registry, which a busy pool must not delay
     * @param nodeTimeout as the relay's cluster has it: every statement of the relay ends in less
     */
    public RelayStores relay(ConnectionProvider heartbeats, Duration nodeTimeout) {
        return new RelayStores(
                new JdbcPartitionStore(connections, tables, TimeSource.SYSTEM, nodeTimeout),
                new JdbcClusterStore(heartbeats, tables),
                claims());
    }

    /**
     * Checks that a relay with this layout could join, and changes nothing.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when the relays of this table have another layout
     */
    public void requireLayout(ClusterLayout layout) {
        new JdbcClusterStore(connections, tables).check(layout);
    }

    public ClusterAdmin clusterAdmin() {
        return new JdbcClusterAdmin(connections, tables);
    }

    /** Finds, counts, replays, discards and edits events. */
    public OperatorStore operations() {
        return new JdbcOperatorStore(connections, tables, JdbcOperatorStore.ROWS_PER_STATEMENT);
    }

    public StatisticsStore statistics() {
        return new JdbcStatisticsStore(connections, tables);
    }

    public DiagnosisStore diagnosis() {
        return new JdbcDiagnosisStore(connections, tables, DiagnosisLimits.DEFAULTS, TimeSource.SYSTEM);
    }

    /** Removes done events. */
    public RetentionStore retention() {
        return new JdbcRetentionStore(connections, tables);
    }
}
