package outbox.jdbc.internal.relay;

import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
import outbox.jdbc.internal.event.CorruptRows;
import outbox.jdbc.internal.event.EventTable;
import outbox.jdbc.internal.event.JdbcSettleStore;
import outbox.jdbc.internal.event.SetAside;
import outbox.jdbc.internal.event.StoredRow;
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
 * Fetches and settles events for a relay. A fetch is one statement that locks nothing, and on PostgreSQL comes with a
 * horizon (see {@link PostgresHorizon}). One instance serves all threads of a node.
 */
public final class JdbcPartitionStore implements PartitionStore {

    private final ConnectionProvider connectionProvider;
    private final TableNames tables;
    private final PostgresHorizon horizon;
    private final Duration answerMax;
    private final SetAside aside;
    private final SettleStore settlements;
    /** Written by the thread that comes first; the same for all, so a second write changes nothing. */
    private volatile @Nullable PartitionReads known;

    /**
     * Opens no connection yet.
     *
     * @param nodeTimeout of the nodes; the database has to answer in less, or its connection counts as lost
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
        PartitionReads reads = reads();
        PostgresHorizon.Before before = fetchesAllAtOnce() ? knownBefore() : horizon.before();
        boolean leavesOut = aside.leavesOut();
        List<PartitionRead.Result> seen = aside.untilReadable(this::repair, unreadable -> {
            List<PartitionRead> requested = requests.stream()
                    .map(request -> new PartitionRead(reads, aside.of(request), unreadable))
                    .toList();
            return single(conn -> reads.fetch(conn, requested));
        });
        return IntStream.range(0, seen.size())
                .mapToObj(n -> fetched(requests.get(n), seen.get(n), before, leavesOut || aside.leavesOut()))
                .toList();
    }

    @Override
    public boolean fetchesAllAtOnce() {
        return reads().numbering().isPresent();
    }

    // While a lane is left out, a reader may not pass its rows: they would be found only behind younger ones of their
    // key.
    private PartitionPage fetched(
            PartitionFetch request, PartitionRead.Result seen, PostgresHorizon.Before before, boolean leavesOut) {
        List<FetchedEvent> events = seen.events();
        PostgresHorizon.Snapshot snapshot = seen.snapshot();
        if (snapshot == null) {
            return PartitionPage.withoutHorizon(events, seen.complete());
        }
        PartitionPage page = horizon.page(request, events, seen.complete(), snapshot, before);
        boolean hidesRows = leavesOut && !page.horizon().equals(Horizon.SEQUENCE_RESET);
        return hidesRows ? new PartitionPage(events, page.complete(), Horizon.UNKNOWN, page.numbering()) : page;
    }

    /** What a fetch that begins now may trust. Makes a note or reads the open writers before, if it is time. */
    private PostgresHorizon.Before knownBefore() {
        if (horizon.shouldRecord()) {
            horizon.recorded(single(this::note));
        }
        PostgresHorizon.Note doubtful = horizon.shouldCheckWriters();
        if (!doubtful.equals(PostgresHorizon.Note.NONE)) {
            horizon.checked(doubtful, single(this::writers));
        }
        return horizon.before();
    }

    private PostgresHorizon.OpenWriters writers(Connection conn) {
        String event = tables.event();
        String select = PostgresHorizon.WRITERS;
        return Sql.list(conn, "find open writers", select, PostgresHorizon.OpenWriters::read, event, event)
                .getFirst();
    }

    PostgresHorizon.Note note(Connection conn) {
        return Sql.list(conn, "note the last seq", PostgresHorizon.NOTE, PostgresHorizon.Note::read, tables.event())
                .getFirst();
    }

    @Override
    public List<LanePage> fetchLanes(LaneFetch request) {
        PartitionReads reads = reads();
        return aside.untilReadable(this::repair, unreadable -> {
            Set<Integer> lanes = aside.of(request);
            if (lanes.isEmpty()) {
                return List.of();
            }
            LaneFetch some = new LaneFetch(lanes, request.eventsPerLaneMax(), request.bytesMax());
            return single(conn -> new LaneRead(reads, some, unreadable).execute(conn));
        });
    }

    private void repair(StoredRow row) {
        CorruptRows corrupt = new CorruptRows(reads().dialect(), tables);
        JdbcTransaction.run(connectionProvider, answerMax, conn -> {
            if (row.isReadable()) {
                corrupt.rehash(conn, List.of(row.event().eventId()));
            } else {
                corrupt.markDead(conn, row);
            }
            return row;
        });
    }

    @Override
    public PeekResult peek(PeekRequest request) {
        PartitionReads reads = reads();
        if (aside.isRepairDue()) {
            JdbcTransaction.run(connectionProvider, answerMax, conn -> {
                new CorruptRows(reads.dialect(), tables).repair(conn);
                return request;
            });
        }
        PostgresHorizon.Before before = horizon.before();
        PeekRead.Result seen = single(conn -> new PeekRead(reads, aside.of(request)).execute(conn));
        PostgresHorizon.Snapshot snapshot = seen.snapshot();
        return snapshot == null ? seen.polled() : seen.polled().withNewEvents(renumbered(request, snapshot, before));
    }

    private Set<Integer> renumbered(
            PeekRequest request, PostgresHorizon.Snapshot snapshot, PostgresHorizon.Before before) {
        return request.positions().stream()
                .filter(position -> horizon.isRenumbered(position, snapshot, before))
                .map(PeekRequest.Position::partition)
                .collect(Collectors.toSet());
    }

    @Override
    public Map<String, Set<String>> acknowledged(Collection<String> eventIds) {
        PartitionReads reads = reads();
        return single(conn -> new Acknowledgements(reads.dialect(), tables).of(conn, eventIds));
    }

    @Override
    public SettleResult settle(SettleRequest request) {
        return guarded(() -> settlements.settle(request));
    }

    @Override
    public boolean mark(PartitionOwnership ownership, Set<String> answered, Set<String> begun) {
        Dialect dialect = reads().dialect();
        return guarded(() -> GuardedTransaction.run(connectionProvider, answerMax, conn -> dialect, conn -> {
            if (!new OwnershipRows(dialect, tables).share(conn, ownership)) {
                return false;
            }
            mark(conn, "deaths = NULL", answered);
            mark(conn, "deaths = COALESCE(deaths, 0) + 1", begun);
            return true;
        }));
    }

    // In one order always, so that two that meet wait for each other instead of deadlocking.
    private void mark(Connection conn, String assignment, Set<String> eventIds) {
        if (!eventIds.isEmpty()) {
            String update = "UPDATE " + tables.event() + " SET " + assignment + " WHERE event_id IN "
                    + Sql.placeholders(eventIds.size()) + " AND status + 0 IN (0, 2)";
            Sql.update(conn, "mark events", update, List.copyOf(new TreeSet<>(eventIds)));
        }
    }

    private PartitionReads reads() {
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
