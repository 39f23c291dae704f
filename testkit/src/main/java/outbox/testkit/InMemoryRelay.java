package outbox.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.spi.SettleRequest;
import outbox.spi.SettleResult;
import outbox.spi.relay.ClusterLayout;
import outbox.spi.relay.FetchedEvent;
import outbox.spi.relay.Horizon;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.Numbering;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;

/** What a relay reads and writes, in memory. */
final class InMemoryRelay implements PartitionStore {

    private static final int DUE_ROWS_MAX = 1_000;

    private final Table table;
    private final FencedSettle settle;
    private final boolean knowsHorizon;

    InMemoryRelay(Table table, FencedSettle settle, boolean tellsHorizon) {
        this.table = table;
        this.settle = settle;
        this.knowsHorizon = tellsHorizon;
    }

    @Override
    public List<PartitionPage> fetch(List<PartitionFetch> requests) {
        return table.atomically(() -> requests.stream().map(this::page).toList());
    }

    @Override
    public boolean fetchesAllAtOnce() {
        return true;
    }

    private PartitionPage page(PartitionFetch request) {
        Instant now = table.now();
        Predicate<Row> matches = peekPartition(request.terms(), request.partition(), request.lanesLeftOut())
                .and(row -> row.isInOrderAt(now) && !request.inMemoryIds().contains(row.id()));
        Budget budget = new Budget(request.bytesMax());
        List<FetchedEvent> events = new ArrayList<>();
        for (Row row : table.pending().after(request.afterSeq())) {
            if (matches.test(row)) {
                if (events.size() == request.eventsMax() || !budget.allows(row)) {
                    return page(request, events, false);
                }
                events.add(row.pendingAt(now));
            }
        }
        return page(request, events, true);
    }

    private PartitionPage page(PartitionFetch request, List<FetchedEvent> events, boolean complete) {
        if (!knowsHorizon) {
            return PartitionPage.withoutHorizon(events, complete);
        }
        boolean other = hasOtherNumbers(request.numbering(), request.afterSeq());
        if (table.lastNumber() < request.afterSeq()) {
            table.numbersWentBack();
        }
        return new PartitionPage(
                events,
                complete,
                other ? Horizon.SEQUENCE_RESET : new Horizon.UpTo(table.horizon()),
                table.numbering());
    }

    private boolean hasOtherNumbers(@Nullable Numbering numbering, long afterSeq) {
        return (numbering != null && !numbering.equals(table.numbering())) || table.lastNumber() < afterSeq;
    }

    private static Predicate<Row> peekPartition(ClusterLayout terms, int slot, Set<Integer> lanesLeftOut) {
        return row -> terms.partitionOf(row.keyHash()) == slot && !lanesLeftOut.contains(row.keyHash());
    }

    @Override
    public List<LanePage> fetchLanes(LaneFetch request) {
        return table.atomically(() -> {
            Instant now = table.now();
            Budget budget = new Budget(request.bytesMax());
            List<LanePage> lanes = new ArrayList<>();
            for (int keyHash : new TreeSet<>(request.lanes())) {
                lanes.add(lane(keyHash, request.eventsPerLaneMax(), budget, now));
            }
            return lanes;
        });
    }

    private LanePage lane(int keyHash, int eventsMax, Budget budget, Instant now) {
        List<FetchedEvent> events = new ArrayList<>();
        for (Row row : table.pending().lane(keyHash)) {
            if (row.isInOrderAt(now)) {
                if (events.size() == eventsMax || !budget.allows(row)) {
                    return new LanePage(keyHash, events, false);
                }
                events.add(row.pendingAt(now));
            }
        }
        return new LanePage(keyHash, events, true);
    }

    @Override
    public PeekResult peek(PeekRequest request) {
        return table.atomically(() -> {
            Instant now = table.now();
            Set<Integer> news = new HashSet<>();
            for (PeekRequest.Position position : request.positions()) {
                if (hasNewEvents(request.terms(), position, now)
                        || (knowsHorizon && hasOtherNumbers(position.numbering(), position.afterSeq()))) {
                    news.add(position.partition());
                }
            }
            DuePeek due = peekAtDue(request, now);
            return new PeekResult(news, due.lanes(), due.until(), due.cutOff(), nextDue(now));
        });
    }

    private boolean hasNewEvents(ClusterLayout terms, PeekRequest.Position position, Instant now) {
        Predicate<Row> news = peekPartition(terms, position.partition(), position.lanesLeftOut());
        for (Row row : table.pending().after(position.afterSeq())) {
            if (news.test(row) && row.isInOrderAt(now)) {
                return true;
            }
        }
        return false;
    }

    private record DuePeek(Set<Integer> lanes, Instant until, boolean cutOff) {}

    private DuePeek peekAtDue(PeekRequest request, Instant now) {
        Set<Integer> lanes = new HashSet<>();
        Instant since = request.dueSince();
        if (since == null) {
            return new DuePeek(lanes, now, false);
        }
        Set<Integer> slots = new HashSet<>();
        request.positions().forEach(position -> slots.add(position.partition()));
        Instant last = since;
        int rows = 0;
        for (Row row : table.pending().delayedAfter(since)) {
            Instant at = row.state().availableAt();
            if (at.isAfter(now)) {
                break;
            }
            if (slots.contains(request.terms().partitionOf(row.keyHash()))) {
                // Those of one instant are given together, however many: the next look begins after that instant.
                if (rows >= DUE_ROWS_MAX && !at.equals(last)) {
                    return new DuePeek(lanes, last, true);
                }
                lanes.add(row.keyHash());
                last = at;
                rows++;
            }
        }
        return new DuePeek(lanes, now, false);
    }

    private @Nullable Duration nextDue(Instant now) {
        for (Row row : table.pending().delayedAfter(now)) {
            return Duration.between(now, row.state().availableAt());
        }
        return null;
    }

    @Override
    public Map<String, Set<String>> acknowledged(Collection<String> eventIds) {
        return table.atomically(() -> settle.acknowledged(eventIds));
    }

    @Override
    public SettleResult settle(SettleRequest request) {
        return table.atomically(() -> settle.settle(request));
    }

    /** The bytes that one look may still give. The first event is given whatever its size. */
    private static final class Budget {

        private final long bytesMax;
        private long bytes;
        private boolean begun;

        Budget(long bytesMax) {
            this.bytesMax = bytesMax;
        }

        /** Once something did not fit nothing does, so that what is given is what a scan in order comes to. */
        boolean allows(Row row) {
            bytes += row.payloadBytes();
            boolean fits = bytes <= bytesMax || !begun;
            begun = true;
            return fits;
        }
    }

    @Override
    public boolean mark(PartitionOwnership hold, Set<String> answered, Set<String> begun) {
        return table.atomically(() -> settle.mark(hold, answered, begun));
    }
}
