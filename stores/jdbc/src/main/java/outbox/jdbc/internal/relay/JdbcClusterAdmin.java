package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.operations.AuditRows;
import outbox.jdbc.internal.schema.PartitionIndexes;
import outbox.jdbc.internal.sql.GuardedTransaction;
import outbox.jdbc.internal.sql.SingleStatement;
import outbox.spi.ConnectionProvider;
import outbox.spi.relay.ClaimStrategy;
import outbox.spi.relay.ClusterAdmin;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.Pause;
import outbox.spi.relay.StoredLayout;

/** What an operator does to the relays of a table. Everything that changes something is written to the audit. */
public final class JdbcClusterAdmin implements ClusterAdmin {

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;

    public JdbcClusterAdmin(ConnectionProvider connectionProvider) {
        this(connectionProvider, TableNames.DEFAULT);
    }

    public JdbcClusterAdmin(ConnectionProvider connectionProvider, TableNames tables) {
        this.connectionProvider = connectionProvider;
        this.tables = tables;
    }

    @Override
    public boolean pause(Pause.Subject subject, String reason, String by) {
        return guarded((conn, dialect) -> {
            new MetaRow(dialect, tables).lock(conn);
            boolean added = new PauseRows(dialect, tables).add(conn, subject, reason, by);
            if (added) {
                new AuditRows(dialect, tables).add(conn, by, "hold", subject.describe(), reason);
            }
            return added;
        });
    }

    @Override
    public boolean resume(Pause.Subject subject, String by) {
        return guarded((conn, dialect) -> {
            new MetaRow(dialect, tables).lock(conn);
            boolean removed = new PauseRows(dialect, tables).remove(conn, subject);
            if (removed) {
                new AuditRows(dialect, tables).add(conn, by, "resume", subject.describe(), null);
            }
            return removed;
        });
    }

    @Override
    public List<Pause> pauses() {
        return SingleStatement.run(connectionProvider, conn -> new PauseRows(Dialect.of(conn), tables).all(conn));
    }

    /**
     * The index is made first, while everybody goes on; only then is the change asked for. The nodes that run finish
     * it, or else the first one that joins with the new number. The number there is takes back what was asked for.
     */
    @Override
    public void changePartitions(int partitions, String by) {
        ClusterLayout wanted = new ClusterLayout(ClaimStrategy.PARTITIONED, partitions); // Checks the number.
        new PartitionIndexes(connectionProvider, tables).create(wanted.partitions());
        guarded((conn, dialect) -> {
            MetaRow meta = new MetaRow(dialect, tables);
            StoredLayout now = meta.lock(conn);
            boolean isThere = now.partitions() == partitions;
            if (isThere && now.partitionsWanted() == null) {
                return now;
            }
            meta.setWanted(conn, isThere ? null : partitions);
            new AuditRows(dialect, tables)
                    .add(conn, by, "change partitions", tables.event(), now.partitions() + " to " + partitions);
            return now;
        });
    }

    /** Drops the indexes of numbers of partitions that are neither in use nor wanted, and returns those numbers. */
    public Set<Integer> dropUnusedPartitionIndexes() {
        PartitionIndexes indexes = new PartitionIndexes(connectionProvider, tables);
        StoredLayout now = guarded((conn, dialect) -> new MetaRow(dialect, tables).share(conn));
        Set<Integer> unused = new TreeSet<>(indexes.all());
        unused.remove(now.partitions());
        unused.removeIf(partitions -> Objects.equals(partitions, now.partitionsWanted()));
        unused.forEach(indexes::drop);
        return unused;
    }

    @Override
    public void changeStrategy(ClaimStrategy strategy, String by) {
        guarded((conn, dialect) -> {
            MetaRow meta = new MetaRow(dialect, tables);
            StoredLayout now = meta.lock(conn);
            if (strategy.label().equals(now.strategy())) {
                return strategy;
            }
            now.requireChangeTo(strategy, "table " + tables.event(), new NodeRows(dialect, tables).alive(conn));
            meta.setStrategy(conn, strategy.label());
            new AuditRows(dialect, tables)
                    .add(conn, by, "change strategy", tables.event(), now.strategy() + " to " + strategy.label());
            return strategy;
        });
    }

    private <T> T guarded(BiFunction<Connection, Dialect, T> work) {
        return GuardedTransaction.run(connectionProvider, Dialect::of, conn -> work.apply(conn, Dialect.of(conn)));
    }
}
