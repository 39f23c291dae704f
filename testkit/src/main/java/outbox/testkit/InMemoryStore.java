package outbox.testkit;

import java.util.Comparator;
import java.util.List;
import outbox.model.OutboxEvent;
import outbox.spi.ClaimStore;
import outbox.spi.PublishStore;
import outbox.spi.RetentionStore;
import outbox.spi.SettleStore;
import outbox.spi.TimeSource;
import outbox.spi.operations.AuditEntry;
import outbox.spi.operations.OperatorStore;
import outbox.spi.operations.StatisticsStore;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.PartitionStore;

/**
 * A store without a database, which keeps every promise of the ports: an insert takes its place in the order at
 * once, is seen by nobody before its commit and is gone after a rollback; claims exclude each other and expire; a slot has one owner, and who lost it changes nothing.
 *
 * <p>Its clock is the {@link TimeSource} it is given, so a test that moves {@link ManualTime} expires leases and
 * brings delayed events due. Sessions are independent, and any number may be open on one thread. Everything but a
 * single session may be used by any number of threads.
 */
public final class InMemoryStore implements SimulatedStore, OperatorFixture {

    private static final int ROWS_PER_READ_MAX = 10_000;

    private final Table table;
    private final Registry registry;
    private final FencedSettle settle;
    private final OperatorActions acts;
    private final boolean knowsHorizon;

    /** An empty store whose clock is the given one. */
    public InMemoryStore(TimeSource clock) {
        this(clock, true);
    }

    private InMemoryStore(TimeSource clock, boolean tellsHorizon) {
        this.table = new Table(clock);
        this.registry = new Registry(table);
        this.settle = new FencedSettle(table, registry);
        this.acts = new OperatorActions(table, registry, settle);
        this.knowsHorizon = tellsHorizon;
    }

    /** An empty store that, as some databases, cannot tell up to where nothing more will become visible. */
    public static InMemoryStore withoutHorizon(TimeSource clock) {
        return new InMemoryStore(clock, false);
    }

    /** A session of its own; its {@link Session#store()} is the {@link PublishStore} to publish with. */
    @Override
    public Session newSession() {
        return new InMemorySession(table);
    }

    @Override
    public ClaimStore claimStore() {
        return new InMemoryClaims(table, registry);
    }

    @Override
    public SettleStore settleStore() {
        return relayStore();
    }

    @Override
    public StatisticsStore statisticsStore() {
        return new InMemoryUpkeep(table);
    }

    @Override
    public RetentionStore retentionStore() {
        return new InMemoryUpkeep(table);
    }

    @Override
    public PartitionStore relayStore() {
        return new InMemoryRelay(table, settle, knowsHorizon);
    }

    @Override
    public ClusterStore clusterStore() {
        return new InMemoryCluster(table, registry);
    }

    @Override
    public ClusterAdmin clusterAdmin() {
        return new InMemoryClusterAdmin(table, registry);
    }

    @Override
    public OperatorStore operatorStore() {
        return operatorStore(ROWS_PER_READ_MAX);
    }

    @Override
    public OperatorStore operatorStore(int rowsPerLookMax) {
        return new InMemoryOperator(table, registry, new EventSearch(table, rowsPerLookMax), acts);
    }

    @Override
    public List<FailedAttempt> failedAttempts(String eventId) {
        return table.atomically(() -> settle.attempts(eventId)).stream()
                .map(each -> new FailedAttempt(each.attempt(), each.nodeId(), each.destination(), each.error()))
                .toList();
    }

    /** All that was noted for people, oldest first. */
    public List<AuditEntry> audit() {
        return table.atomically(registry::audit);
    }

    /** Every committed event, whatever became of it, in the order of insertion. */
    public List<OutboxEvent> events() {
        return table.atomically(() -> table.committed().stream()
                .sorted(Comparator.comparingLong(Row::seq))
                .map(Row::read)
                .toList());
    }

    @Override
    public void disconnect(String session) {
        table.change(() -> {
            Registry.Registration known = registry.find(session);
            if (known != null) {
                registry.register(known.disconnected());
            }
        });
    }

    @Override
    public void empty() {
        table.change(table::empty);
    }

    /** Gives out seqs from the one after this on, as a sequence does whose value was set. */
    public void setNumber(long seq) {
        table.change(() -> table.setNumber(seq));
    }

    /** Gives out seqs from the first on again, as a database does that was restored, or whose sequence was reset. */
    public void restartNumbering() {
        table.change(table::restartNumbering);
    }

    @Override
    public boolean isQuiet() {
        return table.atomically(() -> table.pending().all().isEmpty());
    }

    @Override
    public int partitions() {
        return table.atomically(registry::partitions);
    }

    @Override
    public void corruptHeaders(String eventId, String headersText) {
        boolean found = table.atomically(() -> {
            Row row = table.find(eventId);
            if (row != null) {
                table.replace(row.withHeaders(headersText));
            }
            return row != null;
        });
        if (!found) {
            throw new IllegalArgumentException("no committed event has the id " + eventId);
        }
    }

    /** Nothing to close; the events stay readable. */
    @Override
    public void close() {}
}
