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
import outbox.jdbc.internal.event.Unreadable;
import outbox.jdbc.internal.operations.AuditRows;
import outbox.jdbc.internal.schema.SchemaCheck;
import outbox.jdbc.internal.sql.AnswerTimes;
import outbox.jdbc.internal.sql.GuardedTransaction;
import outbox.jdbc.internal.sql.InList;
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
 * The registry of relays in the database that holds their events. A change locks the meta row, then slots, then nodes,
 * in this order always; a beat writes the node's own row and waits for nobody else's. Beats have a connection of their
 * own, which stays open until the node leaves.
 */
public final class JdbcClusterStore implements ClusterStore, AutoCloseable {

    private static final Logger LOG = System.getLogger(JdbcClusterStore.class.getName());

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;
    /** Written by whichever thread comes first; the same for all, so a second write changes nothing. */
    private volatile @Nullable Dialect known;
    /** Written when a node joins, read by its threads. */
    private volatile Duration answerMax = AnswerTimes.DEFAULT;

    private final HeartbeatConnection heartbeats;

    public JdbcClusterStore(ConnectionProvider connectionProvider) {
        this(connectionProvider, TableNames.DEFAULT);
    }

    public JdbcClusterStore(ConnectionProvider connectionProvider, TableNames tables) {
        this.connectionProvider = connectionProvider;
        this.tables = tables;
        this.heartbeats = new HeartbeatConnection(connectionProvider);
    }

    @Override
    public void join(Member member, @Nullable ClusterLayout terms, Duration timeout) {
        answerMax = AnswerTimes.ofSettlement(timeout);
        brisk(conn -> {
            new SchemaCheck(tables).requireVersion(conn);
            Dialect dialect = dialect(conn);
            if (terms == null) {
                new MetaRow(dialect, tables).share(conn).requireRelays(place());
            } else {
                agree(conn, dialect, terms);
            }
            new NodeRows(dialect, tables).add(conn, member, timeout);
            return member;
        });
        mend();
    }

    // The member has joined. What is wrong with rows that no slot shows must not keep it from working on all others.
    private void mend() {
        try {
            JdbcTransaction.run(connectionProvider, answerMax, conn -> {
                new Unreadable(dialect(conn), tables).mend(conn);
                return tables;
            });
        } catch (OutboxException e) {
            LOG.log(Level.ERROR, "events that no slot shows cannot be searched for: " + SqlFailure.line(e));
        }
    }

    /**
     * Checks what {@link #join} does, and changes nothing.
     *
     * @throws outbox.SchemaException when tables are missing or of another version
     * @throws outbox.LayoutMismatchException when the table is worked on other terms
     */
    public void check(ClusterLayout terms) {
        brisk(conn -> {
            new SchemaCheck(tables).requireVersion(conn);
            StoredLayout agreed = new MetaRow(dialect(conn), tables).share(conn);
            if (!agreed.isTarget(terms)) {
                agreed.require(place(), terms);
            }
            return terms;
        });
    }

    private void agree(Connection conn, Dialect dialect, ClusterLayout terms) {
        MetaRow meta = new MetaRow(dialect, tables);
        StoredLayout agreed = meta.lock(conn);
        // Whoever comes with the wanted number finishes the change if it can: there may be nobody else to do it.
        if (agreed.isTarget(terms) && new OwnershipRows(dialect, tables).renumber(conn, meta, terms.partitions())) {
            agreed = meta.lock(conn);
        }
        agreed.require(place(), terms);
        if (agreed.strategy() == null) {
            meta.setStrategy(conn, terms.strategy().label());
        }
    }

    private String place() {
        return "table " + tables.event();
    }

    @Override
    public Optional<ClusterView> heartbeat(Heartbeat heartbeat) {
        Duration atMost = AnswerTimes.ofHeartbeat(heartbeat.timeout());
        Optional<ClusterView> view = heartbeats.run(atMost, conn -> heartbeat(conn, heartbeat, atMost));
        Dialect dialect = known;
        if (view.isEmpty() && dialect != null) {
            heartbeats.leave(dialect, heartbeat.session());
        }
        return view;
    }

    private Optional<ClusterView> heartbeat(Connection conn, Heartbeat heartbeat, Duration atMost) {
        Dialect dialect = dialect(conn);
        String lockServer = heartbeats.lock(conn, dialect, heartbeat.session());
        ClusterRead read = new ClusterRead(
                dialect,
                tables,
                new ClusterRead.Beat(heartbeat, lockServer, heartbeats.sessions(), AnswerTimes.ofStatement(atMost)));
        return dialect.sessions().heartbeat(conn, read);
    }

    @Override
    public boolean isWatched(String session) {
        return heartbeats.sessions().contains(session);
    }

    @Override
    public boolean endDisconnected(String session, Duration silentFor) {
        return !heartbeats.sessions().contains(session)
                && brisk(conn -> new NodeRows(dialect(conn), tables).endDisconnected(conn, session, silentFor));
    }

    @Override
    public List<AcquiredPartition> acquire(Set<Integer> slots, String session, ClusterLayout terms) {
        return slots.isEmpty() ? List.of() : brisk(conn -> acquire(conn, slots, session, terms));
    }

    // As many statements for all slots as for one, and one more for each former owner: with the last key, too, a
    // takeover must not wait for a round trip per slot.
    private List<AcquiredPartition> acquire(Connection conn, Set<Integer> wanted, String session, ClusterLayout terms) {
        Dialect dialect = dialect(conn);
        StoredLayout agreed = new MetaRow(dialect, tables).share(conn);
        List<Integer> there = wanted.stream()
                .filter(slot -> agreed.allowsOwnership(terms, slot))
                .sorted()
                .toList();
        if (there.isEmpty()) {
            return List.of();
        }
        OwnershipRows slots = new OwnershipRows(dialect, tables);
        NodeRows nodes = new NodeRows(dialect, tables);
        List<OwnershipRows.Row> locked = slots.lock(conn, there);
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
        List<AcquiredPartition> acquired = slots.give(conn, free, session);
        new AuditRows(dialect, tables)
                .addAll(
                        conn,
                        free.stream().map(row -> acquisition(row, session)).toList());
        return acquired;
    }

    private static AuditRows.Entry acquisition(OwnershipRows.Row row, String session) {
        String from = row.owner() == null ? "" : ", from " + row.owner();
        return new AuditRows.Entry(session, "acquire", "partition " + row.slot(), "epoch " + (row.epoch() + 1) + from);
    }

    @Override
    public void outlived(PartitionOwnership hold) {
        brisk(conn -> {
            new OwnershipRows(dialect(conn), tables).forgetDeaths(conn, hold);
            return hold;
        });
    }

    @Override
    public void release(List<PartitionOwnership> holds) {
        if (holds.isEmpty()) {
            return;
        }
        SingleStatement.run(connectionProvider, answerMax, conn -> {
            List<PartitionOwnership> ordered = holds.stream()
                    .sorted(Comparator.comparingInt(PartitionOwnership::partition))
                    .toList();
            return Sql.update(
                    conn,
                    "release slots",
                    "UPDATE " + tables.slot() + " SET owner = NULL, acquired_at = "
                            + dialect(conn).now() + " WHERE "
                            + InList.repeated("(slot = ? AND epoch = ? AND owner = ?)", ordered.size(), " OR "),
                    statement -> {
                        int at = 0;
                        for (PartitionOwnership hold : ordered) {
                            statement.setInt(++at, hold.partition());
                            statement.setLong(++at, hold.epoch());
                            statement.setString(++at, hold.owner());
                        }
                    });
        });
    }

    @Override
    public void leave(String session) {
        brisk(conn -> {
            Dialect dialect = dialect(conn);
            new OwnershipRows(dialect, tables).freeAll(conn, session);
            new NodeRows(dialect, tables).remove(conn, session);
            return session;
        });
        Dialect dialect = known;
        if (dialect != null) {
            heartbeats.leave(dialect, session);
        }
    }

    @Override
    public List<String> forgetExpired(Duration olderThan) {
        return brisk(conn -> {
            NodeRows nodes = new NodeRows(dialect(conn), tables);
            List<Member> expired = nodes.expired(conn, olderThan);
            expired.forEach(member -> nodes.remove(conn, member.session()));
            return expired.stream().map(Member::nodeId).toList();
        });
    }

    @Override
    public boolean repartition() {
        return brisk(conn -> {
            Dialect dialect = dialect(conn);
            MetaRow meta = new MetaRow(dialect, tables);
            Integer wanted = meta.lock(conn).partitionsWanted();
            return wanted != null && new OwnershipRows(dialect, tables).renumber(conn, meta, wanted);
        });
    }

    @Override
    public List<Pause> pauses() {
        return SingleStatement.run(
                connectionProvider, answerMax, conn -> new PauseRows(dialect(conn), tables).all(conn));
    }

    private <T> T brisk(Function<Connection, T> work) {
        return GuardedTransaction.run(connectionProvider, answerMax, this::dialect, work);
    }

    /** Closes the connection on which nodes beat. */
    @Override
    public void close() {
        heartbeats.close();
    }

    private Dialect dialect(Connection conn) {
        Dialect dialect = known;
        if (dialect == null) {
            dialect = Dialect.of(conn);
            known = dialect;
        }
        return dialect;
    }
}
