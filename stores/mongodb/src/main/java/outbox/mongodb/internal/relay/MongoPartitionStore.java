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
 * What a relay reads and settles. Every look shows a lane by one command on one snapshot; a settle of a slot is one
 * transaction. One
 * instance serves all threads of a node.
 */
public final class MongoPartitionStore implements PartitionStore {

    private static final long MEND_NANOS = Duration.ofMinutes(1).toNanos();

    /** Far from any simple share of all lanes, so that looks begin everywhere. */
    private static final int STEP = 0x61C88647;

    private final MongoSource source;
    /** For the transactions of settlements. */
    private final MongoSource settling;

    private final AtomicInteger looks = new AtomicInteger();
    /** When events that no slot shows are to be looked for; taken by one of the threads that poll. */
    private final AtomicLong mendAtNanos = new AtomicLong(TimeSource.SYSTEM.nanoTime());

    /** By the slot's number. What is left of a slot that was given up is an idle session, which the server forgets. */
    private final Map<Integer, Place> places = new ConcurrentHashMap<>();

    public MongoPartitionStore(MongoSource source) {
        this(source, AnswerTimes.NODE_TIMEOUT);
    }

    /**
     * The same for nodes with a time-out of their own.
     *
     * @param nodeTimeout the database has to answer in less, or it counts as failed
     */
    public MongoPartitionStore(MongoSource source, Duration nodeTimeout) {
        this.source = source.within(AnswerTimes.ofCommand(nodeTimeout));
        this.settling = source.within(AnswerTimes.ofTransaction(nodeTimeout));
    }

    @Override
    public List<PartitionPage> fetch(List<PartitionFetch> requests) {
        return requests.stream()
                .map(request -> new PartitionRead(source, request, looks.addAndGet(STEP) & Integer.MAX_VALUE))
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
        long due = mendAtNanos.get();
        long now = TimeSource.SYSTEM.nanoTime();
        if (now - due >= 0 && mendAtNanos.compareAndSet(due, now + MEND_NANOS)) {
            new CorruptEvents(source).setDeadOutsideOfAllSlots();
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
                        "look up acknowledgements",
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
            case Fence.Tokens tokens -> new MongoSettleStore(settling).settle(request);
            case Fence.Ownership slot ->
                place(slot.ownership())
                        .write(slot.ownership(), "settle events", new SettleTransaction(request)::execute)
                        .orElseGet(SettleResult.Fenced::new);
        };
    }

    @Override
    public boolean mark(PartitionOwnership hold, Set<String> answered, Set<String> begun) {
        return place(hold)
                .write(hold, "mark events", new Marks(hold, answered, begun)::execute)
                .isPresent();
    }

    private Place place(PartitionOwnership hold) {
        return places.computeIfAbsent(hold.partition(), number -> new Place());
    }

    /** Where one slot is settled, by one thread at a time. */
    private final class Place {

        private @Nullable SettleSession current;

        /** Empty when the slot is not the node's any more. */
        synchronized <T> Optional<T> write(PartitionOwnership hold, String attempted, MongoSource.Work<T> work) {
            try {
                return Optional.of(writeOrAgain(hold, attempted, work));
            } catch (SettleTransaction.Fenced e) {
                return Optional.empty();
            }
        }

        // Whose transaction was ended finds out who did it when it tries again.
        private <T> T writeOrAgain(PartitionOwnership hold, String attempted, MongoSource.Work<T> work) {
            ClientSession session = sessionOf(hold);
            try {
                return settling.transact(session, attempted, work);
            } catch (OutboxException e) {
                if (!MongoFailure.wasEnded(e)) {
                    throw e;
                }
                return settling.transact(session, attempted, work);
            }
        }

        private ClientSession sessionOf(PartitionOwnership hold) {
            SettleSession last = current;
            if (last != null && last.isOf(hold)) {
                return last.session();
            }
            current = null; // Before anything can fail: a session that is closed must not be taken for the slot's.
            if (last != null) {
                last.close();
            }
            SettleSession next = SettleSession.begin(settling, hold);
            current = next;
            return next.session();
        }
    }
}
