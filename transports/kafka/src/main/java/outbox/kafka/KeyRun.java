package outbox.kafka;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records of one key that go to the same partition, in order. They are handed to the producer back to back without
 * waiting, because the producer sends a partition one batch at a time and is closed if one fails. Records of the key
 * for another topic, or after a record that the broker may reject, form a run of their own, which begins when this one
 * has arrived.
 */
final class KeyRun {

    private final List<PendingRecord> records = new ArrayList<>(1);
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicBoolean broken = new AtomicBoolean();

    /** The run that begins when this one has arrived. Set before this one is handed over. */
    private @Nullable KeyRun next;

    private KeyRun(PendingRecord first) {
        records.add(first);
    }

    /**
     * Returns the runs of a call that can begin at once.
     *
     * @param mayBeRefused records that end their run, so that nothing of the run is behind a rejected record
     */
    static List<KeyRun> of(List<PendingRecord> call, Predicate<PendingRecord> mayBeRefused) {
        List<KeyRun> first = new ArrayList<>();
        Map<String, KeyRun> lastOfKey = new HashMap<>();
        for (PendingRecord pending : call) {
            String key = pending.key();
            KeyRun last = key == null ? null : lastOfKey.get(key);
            if (last != null && last.fitsRun(pending) && !mayBeRefused.test(last.records.getLast())) {
                last.records.add(pending);
                continue;
            }
            KeyRun run = new KeyRun(pending);
            if (last == null) {
                first.add(run);
            } else {
                last.next = run;
            }
            if (key != null) {
                lastOfKey.put(key, run);
            }
        }
        return first;
    }

    // The record's key chooses the partition, and in some message forms it differs from the ordering key.
    private boolean fitsRun(PendingRecord pending) {
        byte[] own = records.get(0).message().key();
        return own != null && Arrays.equals(own, pending.message().key()) && topic().equals(pending.topic());
    }

    String topic() {
        return records.get(0).topic();
    }

    List<PendingRecord> records() {
        return records;
    }

    /** Returns whether the record is the last of this run. */
    @SuppressWarnings("ReferenceEquality") // Identity is intended; two equal records would do no harm.
    boolean endsWith(PendingRecord pending) {
        return records.get(records.size() - 1) == pending;
    }

    /** Counts a record that has arrived. Returns the next run if this one is complete, and null otherwise. */
    @Nullable
    KeyRun arrived() {
        return next != null && arrived.incrementAndGet() == records.size() ? next : null;
    }

    /** Returns the records of the later runs, which can no longer begin. A second call returns none. */
    List<PendingRecord> takeLaterRuns() {
        if (next == null || broken.getAndSet(true)) {
            return List.of();
        }
        List<PendingRecord> behind = new ArrayList<>();
        for (KeyRun run = next; run != null; run = run.next) {
            behind.addAll(run.records);
        }
        return behind;
    }
}
