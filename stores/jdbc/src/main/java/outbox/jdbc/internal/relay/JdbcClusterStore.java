package outbox.jdbc.internal.relay;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.internal.JdbcTransaction;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.event.CorruptRows;
import outbox.jdbc.internal.event.EventTable;
import outbox.jdbc.internal.operations.AuditRows;
import outbox.jdbc.internal.schema.SchemaCheck;
import outbox.jdbc.internal.sql.AnswerTimes;
import outbox.jdbc.internal.sql.GuardedTransaction;
import outbox.jdbc.internal.sql.SingleStatement;
import outbox.jdbc.internal.sql.Sql;
import outbox.jdbc.internal.sql.SqlFailure;
import outbox.spi.ConnectionProvider;
import outbox.spi.relay.AcquiredPartition;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.ClusterStore;
import outbox.spi.relay.ClusterView;
import outbox.spi.relay.Heartbeat;
import outbox.spi.relay.Member;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.Pause;
import outbox.spi.relay.StoredLayout;

/**
 * The registry of relays in the database that holds their events. A change locks the meta row, then partitions, then
 * nodes, in this order always; a heartbeat writes the node's own row and waits for no other. Heartbeats have a connection
 * of their own, which stays open until the node leaves.
 */
public final class JdbcClusterStore implements ClusterStore, AutoCloseable {

    private static final Logger LOG = System.getLogger(JdbcClusterStore.class.getName());

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;
    private final EventTable table;
    /** Written when a node joins, read by its threads. */
    private volatile Duration answerMax = AnswerTimes.DEFAULT;

    private final HeartbeatConnection heartbeats;

    public JdbcClusterStore(ConnectionProvider connectionProvider, TableNames tables) {
        this.connectionProvider = connectionProvider;
        this.tables = tables;
        this.table = new EventTable(tables);
        this.heartbeats = new HeartbeatConnection(connectionProvider);
    }

    @Override
    public void join(Member member, @Nullable ClusterLayout terms, Duration timeout) {
        answerMax = AnswerTimes.ofSettlement(timeout);
        guarded(conn -> {
            new SchemaCheck(tables).requireVersion(conn);
            Dialect dialect = dialect(conn);
            if (terms == null) {
                new MetaRow(dialect, tables).share(conn).requireRelays(tableName());
            } else {
                agree(conn, dialect, terms);
            }
            new NodeRows(dialect, tables).add(conn, member, timeout);
            return member;
        });
        repairRows();
    }

    // The member has joined. A fault of rows that no partition shows must not keep it from working on all others.
    private void repairRows() {
        try {
            JdbcTransaction.run(connectionProvider, answerMax, conn -> {
                new CorruptRows(dialect(conn), tables).repair(conn);
                return tables;
            });
        } catch (OutboxException e) {
            LOG.log(Level.ERROR, "events that no partition shows cannot be repaired: " + SqlFailure.line(e));
        }
    }

    /**
     * Checks what {@link #join} does, and changes nothing.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when the relays of the table have another layout
     */
    public void check(ClusterLayout terms) {
        guarded(conn -> {
            new SchemaCheck(tables).requireVersion(conn);
            StoredLayout agreed = new MetaRow(dialect(conn), tables).share(conn);
            if (!agreed.isTarget(terms)) {
                agreed.require(tableName(), terms);
            }
            return terms;
        });
    }

    private void agree(Connection conn, Dialect dialect, ClusterLayout terms) {
        MetaRow meta = new MetaRow(dialect, tables);
        StoredLayout agreed = meta.lock(conn);
        // A node that comes with the wanted number finishes the change if it can: there may be no other to do it.
        if (agreed.isTarget(terms) && new OwnershipRows(dialect, tables).repartition(conn, meta, terms.partitions())) {
            agreed = meta.lock(conn);
        }
        agreed.require(tableName(), terms);
        if (agreed.strategy() == null) {
            meta.setStrategy(conn, terms.strategy().label());
        }
    }

    private String tableName() {
        return "table " + tables.event();
    }

    @Override
    public Optional<ClusterView> heartbeat(Heartbeat heartbeat) {
        Duration atMost = AnswerTimes.ofHeartbeat(heartbeat.timeout());
        Optional<ClusterView> view = heartbeats.run(atMost, conn -> heartbeat(conn, heartbeat, atMost));
        if (view.isEmpty()) {
            heartbeats.leave(heartbeat.session());
        }
        return view;
    }

    private Optional<ClusterView> heartbeat(Connection conn, Heartbeat heartbeat, Duration atMost) {
        Dialect dialect = dialect(conn);
        String lockServer = heartbeats.lock(conn, dialect, heartbeat.session());
        ClusterRead read = new ClusterRead(
                dialect, tables, heartbeat, lockServer, heartbeats.sessions(), AnswerTimes.ofStatement(atMost));
        return dialect.sessions().heartbeat(conn, read);
    }

    @Override
    public boolean isWatched(String session) {
        return heartbeats.sessions().contains(session);
    }

    @Override
    public boolean endDisconnected(String session, Duration silentFor) {
        return !heartbeats.sessions().contains(session)
                && guarded(conn -> new NodeRows(dialect(conn), tables).endDisconnected(conn, session, silentFor));
    }

    @Override
    public List<AcquiredPartition> acquire(Set<Integer> partitions, String session, ClusterLayout terms) {
        return partitions.isEmpty() ? List.of() : guarded(conn -> acquire(conn, partitions, session, terms));
    }

    // As many statements for all partitions as for one, and one more for each former owner: a takeover must not wait
    // for a round trip per partition.
    private List<AcquiredPartition> acquire(Connection conn, Set<Integer> wanted, String session, ClusterLayout terms) {
        Dialect dialect = dialect(conn);
        StoredLayout agreed = new MetaRow(dialect, tables).share(conn);
        List<Integer> there = wanted.stream()
                .filter(partition -> agreed.allowsOwnership(terms, partition))
                .sorted()
                .toList();
        if (there.isEmpty()) {
            return List.of();
        }
        OwnershipRows rows = new OwnershipRows(dialect, tables);
        NodeRows nodes = new NodeRows(dialect, tables);
        List<OwnershipRows.Row> locked = rows.lock(conn, there);
        Set<String> alive = locked.stream()
                .flatMap(row -> Stream.ofNullable(row.owner()))
                .distinct()
                .sorted() // Two that acquire at the same time must not wait for each other.
                .filter(owner -> nodes.lockIfAlive(conn, owner))
                .collect(Collectors.toSet());
        List<OwnershipRows.Row> free = locked.stream()
                .filter(row -> row.owner() == null || !alive.contains(row.owner()))
                .toList();
        if (free.isEmpty() || !nodes.isAlive(conn, session)) {
            return List.of();
        }
        List<AuditRows.Entry> entries =
                free.stream().map(row -> acquisition(row, session)).toList();
        new AuditRows(dialect, tables).addAll(conn, entries);
        return rows.give(conn, free, session);
    }

    private static AuditRows.Entry acquisition(OwnershipRows.Row row, String session) {
        String from = row.owner() == null ? "" : ", from " + row.owner();
        return new AuditRows.Entry(
                session, "acquire", "partition " + row.partition(), "epoch " + (row.epoch() + 1) + from);
    }

    @Override
    public void outlived(PartitionOwnership ownership) {
        guarded(conn -> {
            new OwnershipRows(dialect(conn), tables).forgetDeaths(conn, ownership);
            return ownership;
        });
    }

    @Override
    public void release(List<PartitionOwnership> ownerships) {
        if (ownerships.isEmpty()) {
            return;
        }
        SingleStatement.run(connectionProvider, answerMax, conn -> {
            List<PartitionOwnership> ordered = ownerships.stream()
                    .sorted(Comparator.comparingInt(PartitionOwnership::partition))
                    .toList();
            String update = "UPDATE " + tables.slot() + " SET owner = NULL, acquired_at = "
                    + dialect(conn).now() + " WHERE "
                    + Sql.repeated("(slot = ? AND epoch = ? AND owner = ?)", ordered.size(), " OR ");
            List<Object> parameters = ordered.stream()
                    .<Object>flatMap(each -> Stream.of(each.partition(), each.epoch(), each.owner()))
                    .toList();
            return Sql.update(conn, "release partitions", update, parameters);
        });
    }

    @Override
    public void leave(String session) {
        guarded(conn -> {
            Dialect dialect = dialect(conn);
            new OwnershipRows(dialect, tables).freeAll(conn, session);
            new NodeRows(dialect, tables).remove(conn, session);
            return session;
        });
        heartbeats.leave(session);
    }

    @Override
    public List<String> forgetExpired(Duration olderThan) {
        return guarded(conn -> {
            NodeRows nodes = new NodeRows(dialect(conn), tables);
            List<Member> expired = nodes.expired(conn, olderThan);
            expired.forEach(member -> nodes.remove(conn, member.session()));
            return expired.stream().map(Member::nodeId).toList();
        });
    }

    @Override
    public boolean repartition() {
        return guarded(conn -> {
            Dialect dialect = dialect(conn);
            MetaRow meta = new MetaRow(dialect, tables);
            Integer wanted = meta.lock(conn).partitionsWanted();
            return wanted != null && new OwnershipRows(dialect, tables).repartition(conn, meta, wanted);
        });
    }

    @Override
    public List<Pause> pauses() {
        return SingleStatement.run(
                connectionProvider, answerMax, conn -> new PauseRows(dialect(conn), tables).all(conn));
    }

    private <T> T guarded(Function<Connection, T> work) {
        return GuardedTransaction.run(connectionProvider, answerMax, this::dialect, work);
    }

    /** Closes the connection of the heartbeats. */
    @Override
    public void close() {
        heartbeats.close();
    }

    private Dialect dialect(Connection conn) {
        return table.in(conn).dialect();
    }
}
