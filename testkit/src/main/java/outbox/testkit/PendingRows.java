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
 * The pending rows, sorted once for each kind of read: settled rows cost a read nothing,
 * which is what the indexes of a database are for. Guarded by the lock of its {@link Table}.
 */
final class PendingRows {

    private final NavigableMap<Place, Row> bySeq = new TreeMap<>();
    private final Map<Integer, NavigableMap<Place, Row>> lanes = new HashMap<>();
    private final NavigableMap<Due, Row> delayed = new TreeMap<>();

    /** The place of a row in the order of insertion; the id distinguishes rows that got the same number. */
    private record Place(long seq, String id) implements Comparable<Place> {

        /** After every id. */
        private static final String LAST = "\uffff";

        private static final Comparator<Place> OLDEST_FIRST =
                Comparator.comparingLong(Place::seq).thenComparing(Place::id);

        static Place of(Row row) {
            return new Place(row.seq(), row.id());
        }

        @Override
        public int compareTo(Place other) {
            return OLDEST_FIRST.compare(this, other);
        }
    }

    /** When a delayed event comes due; the place distinguishes events of one instant. */
    private record Due(Instant at, Place place) implements Comparable<Due> {

        private static final Comparator<Due> EARLIEST_FIRST =
                Comparator.comparing(Due::at).thenComparing(Due::place);

        static Due of(Row row) {
            return new Due(row.state().availableAt(), Place.of(row));
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
        bySeq.put(Place.of(row), row);
        lanes.computeIfAbsent(row.keyHash(), hash -> new TreeMap<>()).put(Place.of(row), row);
        if (row.isDelayed()) {
            delayed.put(Due.of(row), row);
        }
    }

    void remove(Row row) {
        bySeq.remove(Place.of(row));
        lanes.computeIfPresent(row.keyHash(), (hash, lane) -> {
            lane.remove(Place.of(row));
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
        return bySeq.tailMap(new Place(seq, Place.LAST), false).values();
    }

    /** Those of one lane, oldest first. */
    Collection<Row> lane(int keyHash) {
        NavigableMap<Place, Row> lane = lanes.get(keyHash);
        return lane == null ? Collections.emptyList() : lane.values();
    }

    /** Delayed ones whose time is after this, the earliest first. */
    Collection<Row> delayedAfter(Instant time) {
        return delayed.tailMap(new Due(time, new Place(Long.MAX_VALUE, Place.LAST)), false)
                .values();
    }
}
