package outbox.testkit;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The pending rows, sorted in each of the ways in which they are looked for: what is settled costs a look nothing,
 * which is what the indexes of a database are for. Guarded by the lock of its {@link Table}.
 */
final class PendingRows {

    private final NavigableMap<Long, Row> bySeq = new TreeMap<>();
    private final Map<Integer, NavigableMap<Long, Row>> lanes = new HashMap<>();
    private final NavigableMap<Due, Row> delayed = new TreeMap<>();

    /** When a delayed event comes due; the seq tells those of one instant apart. */
    private record Due(Instant at, long seq) implements Comparable<Due> {

        private static final Comparator<Due> EARLIEST_FIRST =
                Comparator.comparing(Due::at).thenComparingLong(Due::seq);

        static Due of(Row row) {
            return new Due(row.state().availableAt(), row.seq());
        }

        @Override
        public int compareTo(Due other) {
            return EARLIEST_FIRST.compare(this, other);
        }
    }

    /** Takes the row in if it is pending. */
    void add(Row row) {
        if (!row.isPending()) {
            return;
        }
        bySeq.put(row.seq(), row);
        lanes.computeIfAbsent(row.keyHash(), hash -> new TreeMap<>()).put(row.seq(), row);
        if (row.isDelayed()) {
            delayed.put(Due.of(row), row);
        }
    }

    void remove(Row row) {
        bySeq.remove(row.seq());
        lanes.computeIfPresent(row.keyHash(), (hash, lane) -> {
            lane.remove(row.seq());
            return lane.isEmpty() ? null : lane;
        });
        delayed.remove(Due.of(row));
    }

    /** All of them, oldest first. */
    Collection<Row> all() {
        return bySeq.values();
    }

    /** Those that were inserted after this one, oldest first. */
    Collection<Row> after(long seq) {
        return bySeq.tailMap(seq, false).values();
    }

    /** Those of one lane, oldest first. */
    Collection<Row> lane(int keyHash) {
        NavigableMap<Long, Row> lane = lanes.get(keyHash);
        return lane == null ? Collections.emptyList() : lane.values();
    }

    /** Delayed ones whose time is after this, the earliest first. */
    Collection<Row> delayedAfter(Instant time) {
        return delayed.tailMap(new Due(time, Long.MAX_VALUE), false).values();
    }
}
