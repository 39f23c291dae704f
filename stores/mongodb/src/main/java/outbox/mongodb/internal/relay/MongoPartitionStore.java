package outbox.mongodb.internal.relay;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.mongodb.MongoSource;
import outbox.mongodb.internal.driver.AnswerTimes;
import outbox.mongodb.internal.driver.MongoFailure;
import outbox.mongodb.internal.event.CorruptEvents;
import outbox.mongodb.internal.event.Field;
import outbox.mongodb.internal.event.Marks;
import outbox.mongodb.internal.event.MongoSettleStore;
import outbox.mongodb.internal.event.SettleSession;
import outbox.mongodb.internal.event.SettleTransaction;
import outbox.mongodb.internal.event.SettleWrites;
import outbox.mongodb.internal.operations.HistoryRead;
import outbox.spi.SettleRequest;
import outbox.spi.SettleRequest.Fence;
import outbox.spi.SettleResult;
import outbox.spi.TimeSource;
import outbox.spi.operations.EventHistory.Acknowledged;
import outbox.spi.relay.LaneFetch;
import outbox.spi.relay.LanePage;
import outbox.spi.relay.PartitionFetch;
import outbox.spi.relay.PartitionOwnership;
import outbox.spi.relay.PartitionPage;
import outbox.spi.relay.PartitionStore;
import outbox.spi.relay.PeekRequest;
import outbox.spi.relay.PeekResult;

/**
 * Fetches and settles the events of partitions. Each lane is read by one command on one snapshot, and a settlement of a
 * partition is one transaction. One instance serves all threads of a node.
 */
public final class MongoPartitionStore implements PartitionStore {

    private static final long REPAIR_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    /** Not close to any simple fraction of the range of lanes, so that reads begin everywhere. */
    private static final int ROTATION_STEP = 0x61C88647;

    private final MongoSource source;
    /** For the transactions of settlements. */
    private final MongoSource settling;

    private final AtomicInteger rotation = new AtomicInteger();

    /** When a polling thread searches again for events that no partition contains. */
    private final AtomicLong nextRepairNanos = new AtomicLong(TimeSource.SYSTEM.nanoTime());

    /** By partition. A released partition leaves an idle session behind, which the server forgets. */
    private final Map<Integer, PartitionWriter> writers = new ConcurrentHashMap<>();

    public MongoPartitionStore(MongoSource source) {
        this(source, AnswerTimes.NODE_TIMEOUT);
    }

    /** Commands that take longer than a share of the node's time-out count as failed. */
    public MongoPartitionStore(MongoSource source, Duration nodeTimeout) {
        this.source = source.within(AnswerTimes.ofCommand(nodeTimeout));
        this.settling = source.within(AnswerTimes.ofTransaction(nodeTimeout));
    }

    @Override
    public List<PartitionPage> fetch(List<PartitionFetch> requests) {
        return requests.stream()
                .map(request ->
                        new PartitionRead(source, request, rotation.addAndGet(ROTATION_STEP) & Integer.MAX_VALUE))
                .map(PartitionRead::execute)
                .toList();
    }

    @Override
    public boolean fetchesAllAtOnce() {
        return false;
    }

    @Override
    public List<LanePage> fetchLanes(LaneFetch request) {
        return new LaneRead(source, request).execute();
    }

    @Override
    public PeekResult peek(PeekRequest request) {
        long due = nextRepairNanos.get();
        long now = TimeSource.SYSTEM.nanoTime();
        if (now - due >= 0 && nextRepairNanos.compareAndSet(due, now + REPAIR_INTERVAL_NANOS)) {
            new CorruptEvents(source).setUnreachableDead();
        }
        return new PeekRead(source, request).execute();
    }

    @Override
    public Map<String, Set<String>> acknowledged(Collection<String> eventIds) {
        Map<String, Set<String>> targets = new HashMap<>();
        if (eventIds.isEmpty()) {
            return targets;
        }
        source.use(
                        "read acknowledgements",
                        collections -> collections
                                .events()
                                .find(Filters.and(Filters.in(Field.ID, eventIds), Filters.exists(Field.ACKNOWLEDGED)))
                                .projection(Projections.include(Field.ACKNOWLEDGED))
                                .into(new HashSet<>()))
                .forEach(event -> targets.put(
                        event.getString(Field.ID),
                        HistoryRead.acknowledged(event).stream()
                                .map(Acknowledged::target)
                                .collect(Collectors.toSet())));
        return targets;
    }

    @Override
    public SettleResult settle(SettleRequest request) {
        return switch (request.fence()) {
            case Fence.Tokens tokens ->
                // Only a pause needs a transaction, whose rollback must end within the node's time-out, too.
                new MongoSettleStore(request.items().stream().anyMatch(SettleWrites::pausesKey) ? settling : source)
                        .settle(request);
            case Fence.Ownership fence ->
                writer(fence.ownership())
                        .write(fence.ownership(), "settle events", new SettleTransaction(settling, request)::execute)
                        .orElseGet(SettleResult.Fenced::new);
        };
    }

    @Override
    public boolean mark(PartitionOwnership ownership, Set<String> answered, Set<String> begun) {
        return writer(ownership)
                .write(ownership, "mark events", new Marks(ownership, answered, begun)::execute)
                .isPresent();
    }

    private PartitionWriter writer(PartitionOwnership ownership) {
        return writers.computeIfAbsent(ownership.partition(), partition -> new PartitionWriter());
    }

    /** Settles one partition, on one thread at a time. */
    private final class PartitionWriter {

        private @Nullable SettleSession current;

        /** Empty when the node no longer owns the partition. */
        synchronized <T> Optional<T> write(PartitionOwnership ownership, String attempted, MongoSource.Work<T> work) {
            try {
                return Optional.of(writeAtMostTwice(ownership, attempted, work));
            } catch (SettleTransaction.Fenced e) {
                return Optional.empty();
            }
        }

        // If another session has ended the transaction, the second attempt finds out whether that was the next owner.
        private <T> T writeAtMostTwice(PartitionOwnership ownership, String attempted, MongoSource.Work<T> work) {
            ClientSession session = sessionOf(ownership);
            try {
                return settling.transact(session, attempted, work);
            } catch (OutboxException e) {
                if (!MongoFailure.wasEnded(e)) {
                    throw e;
                }
                return settling.transact(session, attempted, work);
            }
        }

        private ClientSession sessionOf(PartitionOwnership ownership) {
            SettleSession last = current;
            if (last != null && last.isOf(ownership)) {
                return last.session();
            }
            current = null; // Before anything can fail: a closed session must not count as current.
            if (last != null) {
                last.close();
            }
            SettleSession next = SettleSession.begin(settling, ownership);
            current = next;
            return next.session();
        }
    }
}
