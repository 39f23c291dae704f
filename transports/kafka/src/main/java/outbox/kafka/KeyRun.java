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
 * Records of one key that go to the same partition, in order. They are handed to the producer one behind the other without
 * waiting: it sends a partition one batch at a time, and is closed if one fails. What the key has for another topic, or
 * behind a record that the broker may refuse, is a run of its own, which begins when this one has arrived.
 */
final class KeyRun {

    private final List<PendingRecord> parcels = new ArrayList<>(1);
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicBoolean broken = new AtomicBoolean();

    /** What begins when this has arrived. Set before this is handed over. */
    private @Nullable KeyRun next;

    private KeyRun(PendingRecord first) {
        parcels.add(first);
    }

    /**
     * The runs of a call that can begin at once.
     *
     * @param mayBeRefused records that end their run, so that a refusal finds nothing behind them
     */
    static List<KeyRun> of(List<PendingRecord> call, Predicate<PendingRecord> mayBeRefused) {
        List<KeyRun> first = new ArrayList<>();
        Map<String, KeyRun> lastOfKey = new HashMap<>();
        for (PendingRecord parcel : call) {
            String key = parcel.key();
            KeyRun last = key == null ? null : lastOfKey.get(key);
            if (last != null && last.goesWith(parcel) && !mayBeRefused.test(last.parcels.getLast())) {
                last.parcels.add(parcel);
                continue;
            }
            KeyRun run = new KeyRun(parcel);
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

    // The partition follows from the record's key, which in some forms is not what the order is kept by.
    private boolean goesWith(PendingRecord parcel) {
        byte[] own = parcels.get(0).message().key();
        return own != null && Arrays.equals(own, parcel.message().key()) && topic().equals(parcel.topic());
    }

    String topic() {
        return parcels.get(0).topic();
    }

    List<PendingRecord> parcels() {
        return parcels;
    }

    /** Whether the record is the last of this run. */
    @SuppressWarnings("ReferenceEquality") // The very same; two equal ones would do no harm.
    boolean endsWith(PendingRecord parcel) {
        return parcels.get(parcels.size() - 1) == parcel;
    }

    /** Counts a record that has arrived; what may begin with that, if there is something. */
    @Nullable
    KeyRun arrived() {
        return next != null && arrived.incrementAndGet() == parcels.size() ? next : null;
    }

    /** The records of the runs behind this one, which cannot begin any more; all of them once, then none. */
    List<PendingRecord> breakOff() {
        if (next == null || broken.getAndSet(true)) {
            return List.of();
        }
        List<PendingRecord> behind = new ArrayList<>();
        for (KeyRun run = next; run != null; run = run.next) {
            behind.addAll(run.parcels);
        }
        return behind;
    }
}
