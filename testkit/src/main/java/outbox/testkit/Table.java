package outbox.testkit;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.DuplicateEventException;
import outbox.EventEnvelope;
import outbox.model.ClaimTerms;
import outbox.spi.relay.Numbering;

/**
 * The rows, and what transactions have not committed yet. Everything happens inside {@link #atomically} or
 * {@link #change}: one lock makes each call a transaction of its own.
 */
final class Table {

    private final ReentrantLock lock = new ReentrantLock();
    private final InstantSource clock;

    // All guarded by the lock.
    private final Map<String, Row> committed = new HashMap<>();
    private final PendingRows pending = new PendingRows();
    private final Map<String, Row> uncommitted = new HashMap<>();
    private long lastSeq;
    private Numbering numbering = new Numbering(1, 0);

    Table(InstantSource clock) {
        this.clock = clock;
    }

    <T> T atomically(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    void change(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    /** The store's clock, in microseconds as databases keep them. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    Collection<Row> committed() {
        return committed.values();
    }

    PendingRows pending() {
        return pending;
    }

    /** Up to where every row that will ever be seen is seen by now: below the oldest insert that is still open. */
    long horizon() {
        long open = lastSeq;
        for (Row row :
                uncommitted.values()) { // Numbers may have gone back, and then two have the same, or higher ones.
            open = Math.min(open, row.seq() - 1);
        }
        return open;
    }

    @Nullable
    Row find(String eventId) {
        return committed.get(eventId);
    }

    void replace(Row row) {
        Row old = committed.put(row.id(), row);
        if (old != null) {
            pending.remove(old);
        }
        pending.add(row);
    }

    void delete(Row row) {
        committed.remove(row.id());
        pending.remove(row);
    }

    /** Gives the events their places in the order of insertion. They stay invisible until they are committed. */
    void insert(List<EventEnvelope> events, @Nullable ClaimTerms claim) {
        refuseDuplicates(events);
        for (EventEnvelope event : events) {
            uncommitted.put(event.eventId(), Row.inserted(++lastSeq, event, claim, now()));
        }
    }

    /** Numbers the next event anew, as a database does that was restored, or whose sequence was reset. */
    void restartNumbering() {
        lastSeq = 0;
        numbering = new Numbering(numbering.source() + 1, 0);
    }

    /** Gives the next event the number after this one, without any other trace. */
    void setNumber(long seq) {
        lastSeq = seq;
    }

    /** A reader had a number that was not given out since: all numbers may have gone back. */
    void numbersWentBack() {
        numbering = new Numbering(numbering.source(), numbering.resets() + 1);
    }

    long lastNumber() {
        return lastSeq;
    }

    /** Forgets every committed row, and numbers the next event anew. */
    void empty() {
        List.copyOf(committed.values()).forEach(this::delete);
        restartNumbering();
    }

    /** Another one whenever numbers have gone back. */
    Numbering numbering() {
        return numbering;
    }

    // An id that an open transaction holds counts as stored. A database would wait for that transaction to end,
    // which one thread with two sessions could not.
    private void refuseDuplicates(List<EventEnvelope> events) {
        Set<String> batch = new HashSet<>();
        List<String> stored = new ArrayList<>();
        for (EventEnvelope event : events) {
            String id = event.eventId();
            if (!batch.add(id) || committed.containsKey(id) || uncommitted.containsKey(id)) {
                stored.add(id);
            }
        }
        if (!stored.isEmpty()) {
            throw new DuplicateEventException(stored, null);
        }
    }

    void commit(Collection<String> eventIds) {
        for (String eventId : eventIds) {
            Row row = uncommitted.remove(eventId);
            if (row != null) {
                replace(row);
            }
        }
    }

    void rollback(Collection<String> eventIds) {
        eventIds.forEach(uncommitted::remove);
    }
}
