package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import outbox.internal.JdbcTransaction;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.dialect.Dialect;
import outbox.jdbc.internal.dialect.PartitionReads;
import outbox.jdbc.internal.event.Acknowledgements;
import outbox.jdbc.internal.event.EventTable;
import outbox.jdbc.internal.event.JdbcSettleStore;
import outbox.jdbc.internal.event.Marks;
import outbox.jdbc.internal.event.SetAside;
import outbox.jdbc.internal.event.StoredRow;
import outbox.jdbc.internal.event.Unreadable;
import outbox.jdbc.internal.sql.AnswerTimes;
import outbox.jdbc.internal.sql.GuardedTransaction;
import outbox.jdbc.internal.sql.SingleStatement;
import outbox.jdbc.internal.sql.Sql;
import outbox.spi.ConnectionProvider;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.SettleStore;
import outbox.spi.TimeSource;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;

/**
 * What a relay reads and settles, on PostgreSQL, MySQL, MariaDB or H2; which one it is, the first connection tells.
 * Every look is one statement that locks nothing. On PostgreSQL looks come with a horizon (see
 * {@link PostgresHorizon}). One instance serves all threads of a node.
 */
public final class JdbcPartitionStore implements PartitionStore {

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;
    private final PostgresHorizon horizon;
    private final Duration answerMax;
    private final SetAside aside;
    private final SettleStore settlements;
    /** Written by whichever thread comes first; the same for all, so a second write changes nothing. */
    private volatile @Nullable PartitionReads known;

    public JdbcPartitionStore(ConnectionProvider connectionProvider) {
        this(connectionProvider, TableNames.DEFAULT);
    }

    public JdbcPartitionStore(ConnectionProvider connectionProvider, TableNames tables) {
        this(connectionProvider, tables, TimeSource.SYSTEM);
    }

    /** The time decides how often the horizon is looked for, and nothing else. */
    public JdbcPartitionStore(ConnectionProvider connectionProvider, TableNames tables, TimeSource time) {
        this(connectionProvider, tables, time, Duration.ofSeconds(10));
    }

    /**
     * The same for nodes with a time-out of their own.
     *
     * @param nodeTimeout the database has to answer in less, or its connection counts as lost
     */
    public JdbcPartitionStore(
            ConnectionProvider connectionProvider, TableNames tables, TimeSource time, Duration nodeTimeout) {
        this.connectionProvider = connectionProvider;
        this.tables = tables;
        this.horizon = new PostgresHorizon(time);
        this.answerMax = AnswerTimes.ofSettlement(nodeTimeout);
        this.aside = new SetAside(time);
        this.settlements = new JdbcSettleStore(connectionProvider, new EventTable(tables, answerMax));
    }

    @Override
    public List<PartitionPage> fetch(List<PartitionFetch> requests) {
        PartitionReads relayDialect = relayDialect();
        PostgresHorizon.Before before = fetchesAllAtOnce() ? knownBefore() : horizon.before();
        boolean leavesOut = aside.leavesOut();
        List<PartitionRead.Seen> seen = aside.without(this::repair, unreadable -> {
            List<PartitionRead> reads = requests.stream()
                    .map(request -> new PartitionRead(relayDialect, aside.of(request), unreadable))
                    .toList();
            return single(conn -> relayDialect.fetch(conn, reads));
        });
        return IntStream.range(0, seen.size())
                .mapToObj(n -> fetched(requests.get(n), seen.get(n), before, leavesOut || aside.leavesOut()))
                .toList();
    }

    @Override
    public boolean fetchesAllAtOnce() {
        return relayDialect().numbering().isPresent();
    }

    // While a lane is left out, a reader may not pass its rows: they would be found only behind younger ones of their
    // key.
    private PartitionPage fetched(
            PartitionFetch request, PartitionRead.Seen seen, PostgresHorizon.Before before, boolean leavesOut) {
        List<FetchedEvent> events = seen.events();
        PostgresHorizon.Snapshot snapshot = seen.snapshot();
        if (snapshot == null) {
            return PartitionPage.withoutHorizon(events, seen.complete());
        }
        PartitionPage page = horizon.page(request, events, seen.complete(), snapshot, before);
        boolean hidesRows = leavesOut && !page.horizon().equals(Horizon.SEQUENCE_RESET);
        return hidesRows ? new PartitionPage(events, page.complete(), Horizon.UNKNOWN, page.numbering()) : page;
    }

    /** What a look that begins now may trust; a note or the writers are asked for first, if it is time. */
    private PostgresHorizon.Before knownBefore() {
        if (horizon.wantsNote()) {
            horizon.made(single(this::note));
        }
        PostgresHorizon.Note doubtful = horizon.wantsWriters();
        if (!doubtful.equals(PostgresHorizon.Note.NONE)) {
            horizon.asked(doubtful, single(this::writers));
        }
        return horizon.before();
    }

    private PostgresHorizon.Writers writers(Connection conn) {
        return Sql.query(
                conn,
                "look who writes events",
                PostgresHorizon.WRITERS,
                statement -> {
                    statement.setString(1, tables.event());
                    statement.setString(2, tables.event());
                },
                PostgresHorizon.Writers::read);
    }

    PostgresHorizon.Note note(Connection conn) {
        return Sql.query(
                conn,
                "look how far seq was given out",
                PostgresHorizon.NOTE,
                statement -> statement.setString(1, tables.event()),
                PostgresHorizon.Note::read);
    }

    @Override
    public List<LanePage> fetchLanes(LaneFetch request) {
        PartitionReads relayDialect = relayDialect();
        return aside.without(this::repair, unreadable -> {
            Set<Integer> lanes = aside.of(request);
            if (lanes.isEmpty()) {
                return List.of();
            }
            LaneFetch some = new LaneFetch(lanes, request.eventsPerLaneMax(), request.bytesMax());
            return single(conn -> new LaneRead(relayDialect, some, unreadable).execute(conn));
        });
    }

    private void repair(StoredRow row) {
        Unreadable unreadable = new Unreadable(relayDialect().dialect(), tables);
        JdbcTransaction.run(connectionProvider, answerMax, conn -> {
            if (row.isReadable()) {
                unreadable.rehash(conn, List.of(row.event().eventId()));
            } else {
                unreadable.kill(conn, row);
            }
            return row;
        });
    }

    @Override
    public PeekResult peek(PeekRequest request) {
        PartitionReads relayDialect = relayDialect();
        if (aside.isTimeToMend()) {
            JdbcTransaction.run(connectionProvider, answerMax, conn -> {
                new Unreadable(relayDialect.dialect(), tables).mend(conn);
                return request;
            });
        }
        PostgresHorizon.Before before = horizon.before();
        PeekRead.Seen seen = single(conn -> new PeekRead(relayDialect, aside.of(request)).execute(conn));
        PostgresHorizon.Snapshot snapshot = seen.snapshot();
        return snapshot == null ? seen.polled() : seen.polled().withNewEvents(numberedAnew(request, snapshot, before));
    }

    private Set<Integer> numberedAnew(
            PeekRequest request, PostgresHorizon.Snapshot snapshot, PostgresHorizon.Before before) {
        return request.positions().stream()
                .filter(position -> horizon.hasOtherNumbers(position, snapshot, before))
                .map(PeekRequest.Position::partition)
                .collect(Collectors.toSet());
    }

    @Override
    public Map<String, Set<String>> acknowledged(Collection<String> eventIds) {
        PartitionReads relayDialect = relayDialect();
        return single(conn -> new Acknowledgements(relayDialect.dialect(), tables).of(conn, eventIds));
    }

    @Override
    public SettleResult settle(SettleRequest request) {
        return guarded(() -> settlements.settle(request));
    }

    @Override
    public boolean mark(PartitionOwnership hold, Set<String> answered, Set<String> begun) {
        Dialect dialect = relayDialect().dialect();
        return guarded(() -> GuardedTransaction.run(
                connectionProvider,
                answerMax,
                conn -> dialect,
                conn -> new Marks(dialect, tables).write(conn, hold, answered, begun)));
    }

    private PartitionReads relayDialect() {
        PartitionReads dialect = known;
        if (dialect == null) {
            dialect = single(conn -> Dialect.of(conn).reads(tables, AnswerTimes.ofStatement(answerMax)));
            known = dialect;
        }
        return dialect;
    }

    private <T> T single(Function<Connection, T> statement) {
        return guarded(() -> SingleStatement.run(connectionProvider, answerMax, statement));
    }

    // A failure may be the end of a server whose place another takes.
    private <T> T guarded(Supplier<T> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            horizon.forget();
            throw e;
        }
    }
}
